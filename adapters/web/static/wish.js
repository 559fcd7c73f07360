// Wishes: what a link that anybody can write asks for. The server decides.

const INVITATION = /^[A-Z0-9]{6,12}$/;

/**
 * A table by its name, or an invitation to one.
 * @param {string} text
 */
export function wished(text) {
  return INVITATION.test(text) ? { table: "", invitation: text } : { table: text, invitation: "" };
}
