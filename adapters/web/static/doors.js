// Doors: the ways to this page. Each identifies the viewer to the server in its own way.

import { discord } from "./discord.js";
import { link } from "./link.js";
import { telegram } from "./telegram.js";

/** @typedef {import("./types").Door} Door */

/** The local page: a tab's secret, known to no other, keeps its person over reloads and restarts.
 * @type {Door} */
const local = { name: "local", storage: sessionStorage, key: "token", table: "", start: async () => {}, proof: async () => ({}) };

/** @type {Door} */
export const door = { local, link, telegram, discord }[document.body.dataset.door ?? ""] ?? local;

export const isLocal = door === local;
