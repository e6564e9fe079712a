import { useEffect, useRef } from "react";
import { localValues } from "../kept-values.ts";

/** A scanner types faster than this between two keys; nobody's fingers do for a whole code. */
const keyGapMaxMs = 35;
const codeMinLength = 4;

/**
 * Hears a barcode scanner, which is a keyboard that types a code and Enter, from anywhere on the page. What it typed into
 * a field is taken out again.
 */
export function useScanner(onCode: (code: string, raw: string) => void): void {
	const listener = useRef(onCode);
	listener.current = onCode;
	useEffect(() => {
		let typed = "";
		let last = 0;
		let field: HTMLInputElement | HTMLTextAreaElement | undefined;
		let before = "";

		function onKey(event: KeyboardEvent): void {
			if (event.ctrlKey || event.altKey || event.metaKey) return;
			const gap = event.timeStamp - last;
			last = event.timeStamp;
			if (event.key === "Enter") {
				const isScan = typed.length >= codeMinLength && gap < keyGapMaxMs;
				const raw = typed;
				typed = "";
				if (!isScan) return;
				event.preventDefault();
				event.stopPropagation();
				if (field) restore(field, before);
				listener.current(withoutPrefix(raw), raw);
				return;
			}
			const letter = letterOf(event);
			if (letter.length !== 1) return;
			if (gap >= keyGapMaxMs) {
				typed = "";
				const { activeElement } = document;
				field =
					activeElement instanceof HTMLInputElement ||
					activeElement instanceof HTMLTextAreaElement
						? activeElement
						: undefined;
				before = field?.value ?? "";
			}
			typed += letter;
		}

		addEventListener("keydown", onKey, { capture: true });
		return () => removeEventListener("keydown", onKey, { capture: true });
	}, []);
}

const layoutKey = "counterfoil-scanner-by-position";

/** Whether digits are told by the place of their keys: for a scanner that thinks of another keyboard than this one's. */
export function readsByPosition(): boolean {
	return localValues.read(layoutKey) === "1";
}

export function setByPosition(value: boolean): void {
	localValues.write(layoutKey, value ? "1" : "0");
}

function letterOf({ key, code }: KeyboardEvent): string {
	const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
	return digit !== undefined && readsByPosition() ? digit : key;
}

const prefixKey = "counterfoil-scanner-prefix";

/** What this computer's scanner is set to send before each code. */
export function readPrefix(): string {
	return localValues.read(prefixKey) ?? "";
}

export function writePrefix(prefix: string): void {
	localValues.write(prefixKey, prefix);
}

function withoutPrefix(typed: string): string {
	const prefix = readPrefix();
	return prefix && typed.startsWith(prefix)
		? typed.slice(prefix.length)
		: typed;
}

/** Sets a field's value as typing would, so that React hears of it. */
function restore(
	field: HTMLInputElement | HTMLTextAreaElement,
	value: string,
): void {
	const prototype = Object.getPrototypeOf(field);
	Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Whether a code of 12 or 13 digits was read right; others carry no check digit that we know. */
export function isMisread(code: string): boolean {
	if (!/^\d{12,13}$/.test(code)) return false;
	const digits = [...code.padStart(13, "0")].map(Number);
	const sum = digits.reduce(
		(total, digit, i) => total + digit * (i % 2 === 0 ? 1 : 3),
		0,
	);
	return sum % 10 !== 0;
}

let sounds: AudioContext | undefined;

/** One short high tone for right, a longer low one for wrong. */
export function beep(isRight: boolean): void {
	if (typeof AudioContext === "undefined") return;
	sounds ??= new AudioContext();
	const tone = sounds.createOscillator();
	const volume = sounds.createGain();
	tone.frequency.value = isRight ? 1_400 : 220;
	volume.gain.value = 0.08;
	tone.connect(volume).connect(sounds.destination);
	tone.start();
	tone.stop(sounds.currentTime + (isRight ? 0.07 : 0.35));
}
