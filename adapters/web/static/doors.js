// Doors: the ways to this page. Each identifies the viewer to the server in its own way.

import { discord } from "./discord.js";
import { link } from "./link.js";
import { local } from "./local.js";
import { telegram } from "./telegram.js";

/** @typedef {import("./types").Door} Door */

/** @type {Door} */
export const door = { local, link, telegram, discord }[document.body.dataset.door ?? ""] ?? local;

export const isLocal = door === local;

const INVITATION = /^[A-Z0-9]{6,12}$/;
const invites = door === link || INVITATION.test(door.wish);

/** What the link asks for that led here, and that anybody can write: a table, or the invitation to one. */
export const wished = { table: invites ? "" : door.wish, invitation: invites ? door.wish : "" };
