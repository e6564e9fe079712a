import { useEffect, useRef, useState } from "react";
import { type InOrder, openInOrder } from "./in-order.ts";
import {
	judgeBurst,
	type Keystroke,
	scanGapMaxMs,
	type Target,
} from "./scan-burst.ts";
import { readPrefix, readsByPosition } from "./scanner-settings.ts";

/** Outside of a field, an Enter this soon after a code belongs to it. */
const enterGapMaxMs = 500;

interface Scan {
	code: string;
	/** With the prefix that the scanner is set to send. */
	raw: string;
	/** The usual time between two keys. */
	gapMs: number;
}

interface Listener {
	onScan(scan: Scan): void | Promise<void>;
	/** Whether a code that a person may have typed is one that can be scanned here. */
	isKnown(code: string): boolean | Promise<boolean>;
	/** The longest pause within a code. */
	gapMaxMs?: number;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Hears a barcode scanner, which is a keyboard that types a code and Enter, from anywhere on the page. What it typed into
 * a field is taken out again, and its Enter does nothing else. The Enter of what may be a code is held until it is known
 * whether it is one. One for each page.
 *
 * @returns the order in which scans are heard, for what has to wait for those before it
 */
export function useScanner(listener: Listener): InOrder {
	const latest = useRef(listener);
	latest.current = listener;
	const [inOrder] = useState(openInOrder);
	useEffect(() => {
		let keys: Keystroke[] = [];
		let field: Field | undefined;
		let before = "";

		function onKey(event: KeyboardEvent): void {
			if (event.ctrlKey || event.altKey || event.metaKey) return;
			if (passedOn.has(event)) return;
			if (event.key === "Enter") {
				onEnter(event);
				keys = [];
				return;
			}
			const letter = letterOf(event);
			if (letter.length !== 1) return;
			const focused = focusedField();
			const isNext =
				field === focused &&
				isWithin(event, latest.current.gapMaxMs ?? scanGapMaxMs);
			if (event.repeat || !isNext) {
				keys = [];
				field = focused;
				before = field?.value ?? "";
			} else if (!field) swallow(event);
			if (!event.repeat) keys.push({ letter, at: event.timeStamp });
		}

		function isWithin(event: KeyboardEvent, gapMaxMs: number): boolean {
			const last = keys.at(-1);
			if (!last) return false;
			const gap = event.timeStamp - last.at;
			return gap >= 0 && gap <= gapMaxMs;
		}

		function onEnter(event: KeyboardEvent): void {
			const target = targetOf(field);
			const isPrompt = isWithin(event, latest.current.gapMaxMs ?? scanGapMaxMs);
			const last = keys.at(-1);
			if (!last || field?.type === "password") return;
			if (!isPrompt && (field || !isWithin(event, enterGapMaxMs))) return;
			const enterAt = isPrompt ? event.timeStamp : last.at;
			const burst = judgeBurst(keys, enterAt, target);
			const raw = keys.map(({ letter }) => letter).join("");
			if (burst === "typed") return;
			swallow(event);
			const code = withoutPrefix(raw);
			const first = keys[0] as Keystroke;
			const gapMs = Math.round((last.at - first.at) / (keys.length - 1));
			const takeOut = field && takerOut(field, before);
			if (burst === "scan") takeOut?.();
			const into = field;
			const position = field?.selectionEnd ?? 0;
			inOrder(async () => {
				if (burst === "maybe") {
					if (!(await latest.current.isKnown(code))) {
						// Outside of a field, the Enter of any code would press what has the focus.
						if (into) passOnEnter(into, position);
						return;
					}
					takeOut?.();
				}
				await latest.current.onScan({ code, raw, gapMs });
			});
		}

		addEventListener("keydown", onKey, { capture: true });
		return () => removeEventListener("keydown", onKey, { capture: true });
	}, [inOrder]);
	return inOrder;
}

function swallow(event: KeyboardEvent): void {
	event.preventDefault();
	event.stopPropagation();
}

const textTypes = /^(?:text|search|password|email|number|tel|url)$/;

function focusedField(): Field | undefined {
	const { activeElement } = document;
	if (activeElement instanceof HTMLTextAreaElement) return activeElement;
	return activeElement instanceof HTMLInputElement &&
		textTypes.test(activeElement.type)
		? activeElement
		: undefined;
}

function targetOf(field: Field | undefined): Target {
	if (!field) return "none";
	return /^(?:decimal|numeric)$/.test(field.inputMode) ? "number" : "text";
}

function letterOf({ key, code }: KeyboardEvent): string {
	const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
	return digit !== undefined && readsByPosition() ? digit : key;
}

function withoutPrefix(typed: string): string {
	const prefix = readPrefix();
	return prefix && typed.startsWith(prefix)
		? typed.slice(prefix.length)
		: typed;
}

/** @returns what takes the code out of a field again, and leaves what was typed after it */
function takerOut(field: Field, before: string): () => void {
	const { length } = field.value;
	return () => restore(field, before + field.value.slice(length));
}

/** Enters that were held, and are not heard again. */
const passedOn = new WeakSet<Event>();

/** Does what an Enter in a field does that was held. @param position where it was pressed: more may be typed by now */
function passOnEnter(field: Field, position: number): void {
	const enter = new KeyboardEvent("keydown", {
		...{ key: "Enter", code: "Enter" },
		...{ bubbles: true, cancelable: true },
	});
	passedOn.add(enter);
	// What a browser does by itself, it does for real keys alone.
	if (!field.dispatchEvent(enter)) return;
	if (field instanceof HTMLTextAreaElement) {
		const isTypedOn = field.selectionEnd > position;
		const selection = isTypedOn ? "preserve" : "end";
		field.setRangeText("\n", position, position, selection);
		field.dispatchEvent(new Event("input", { bubbles: true }));
		return;
	}
	const button = field.form?.querySelector<HTMLElement>("[type=submit]");
	if (button) button.click();
	else field.form?.requestSubmit();
}

/** Sets a field's value as typing would, so that React hears of it. */
function restore(field: Field, value: string): void {
	const prototype = Object.getPrototypeOf(field);
	Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
