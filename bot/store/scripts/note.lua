-- KEYS one set each   ARGV of each: name, seconds for which it is kept (0: for ever), moment | '' (see common.lua)
for i = 1, #KEYS do note(KEYS[i], unpack(ARGV, 3 * i - 2, 3 * i)) end
