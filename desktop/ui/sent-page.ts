/*
 * What the server says in the page that it sends.
 */

const { place, session } = document.documentElement.dataset;

/** Whether this page is a desktop till's window, whose shop runs in its own process. */
export const isTillsWindow = place === "till";

/** Whether the server got no session with the request for this page: asking for one would be refused. */
export const cameWithoutSession = session === "none";
