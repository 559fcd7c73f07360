// Wishes: the requests in a link, which anybody can write. The server decides.

const INVITATION = /^[A-Z0-9]{6,12}$/;

/**
 * The id of a table, or an invitation to one.
 * @param {string} text
 */
export function wished(text) {
  return INVITATION.test(text) ? { table: "", invitation: text } : { table: text, invitation: "" };
}
