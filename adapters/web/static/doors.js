// Doors: how the viewer came here. Each tells the server who they are, in its own way.

import { discord } from "./discord.js";
import { link } from "./link.js";
import { telegram } from "./telegram.js";

/** @typedef {import("./types").Door} Door */

/** The local page: a tab's secret makes it the same person after a reload and a restart; no other tab knows it.
 * @type {Door} */
const local = { name: "local", storage: sessionStorage, key: "token", table: "", start: async () => {}, proof: async () => ({}) };

/** @type {Door} */
export const door = { local, link, telegram, discord }[document.body.dataset.door ?? ""] ?? local;

export const isLocal = door === local;
