/**
 * Node's options for the process of a till. While a long history arrives, the usual young generation would make it a
 * third larger, and no faster by as much as a twentieth.
 */
export const nodeOptions = ["--max-semi-space-size=4"];
