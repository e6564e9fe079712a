import type { Translation } from "./index.ts";
export const fr = {} as Translation;
