import { localValues } from "../stored-values.ts";

const layoutKey = "counterfoil-scanner-by-position";

/** Whether to read digits by key position, for a scanner set to another keyboard layout than this computer. */
export function readsByPosition(): boolean {
	return localValues.read(layoutKey) === "1";
}

export function setByPosition(value: boolean): void {
	localValues.write(layoutKey, value ? "1" : "0");
}

const prefixKey = "counterfoil-scanner-prefix";

/** The prefix that this computer's scanner sends before each code. */
export function readPrefix(): string {
	return localValues.read(prefixKey) ?? "";
}

export function writePrefix(prefix: string): void {
	localValues.write(prefixKey, prefix);
}
