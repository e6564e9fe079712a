import { localValues } from "../kept-values.ts";

const layoutKey = "counterfoil-scanner-by-position";

/** Whether digits are told by the place of their keys: for a scanner set to another keyboard layout than this computer's. */
export function readsByPosition(): boolean {
	return localValues.read(layoutKey) === "1";
}

export function setByPosition(value: boolean): void {
	localValues.write(layoutKey, value ? "1" : "0");
}

const prefixKey = "counterfoil-scanner-prefix";

/** What this computer's scanner is set to send before each code. */
export function readPrefix(): string {
	return localValues.read(prefixKey) ?? "";
}

export function writePrefix(prefix: string): void {
	localValues.write(prefixKey, prefix);
}
