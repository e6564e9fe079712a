import { useEffect, useRef, useState } from "react";
import {
	judgeBurst,
	type Keystroke,
	scanGapMaxMs,
	type Target,
} from "./scan-burst.ts";
import { readPrefix, readsByPosition } from "./scanner-settings.ts";
import { openTaskQueue, type TaskQueue } from "./task-queue.ts";

/** Outside fields, an Enter this soon after a code belongs to the code. */
const enterGapMaxMs = 500;

/** Outside fields, letters this long without a further key are a person's: a scanner's next key would have come by now. */
const typedAfterMs = 250;

/** The till's keys for a line, which a person may press in quick succession. */
const lineKeys = /^[+*-]+$/;

/** The till's other keys are signs. */
const wordStart = /^[\p{L}\p{N}]/u;

interface Scan {
	code: string;
	/** Whether the scanner's prefix came before the code. */
	raw: string;
	/** The median time between two keys. */
	gapMs: number;
}

interface Listener {
	onScan(scan: Scan): void | Promise<void>;
	/** Whether a code that may have been typed by a person is a known one. */
	isKnown(code: string): boolean | Promise<boolean>;
	/** The longest gap within a code. */
	gapMaxMs?: number;
	/** The field for what a person types while none has the focus; null if there is none now. */
	typeInto?(): HTMLInputElement | null;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Reads a barcode scanner, a keyboard that types a code and Enter, from anywhere on the page. Removes the code from the field
 * that it landed in, and keeps its Enter from doing anything else. An Enter after what may be a code waits for the lookup.
 * Use it once per page.
 *
 * @returns a queue for actions that have to wait for the scans before them
 */
export function useScanner(listener: Listener): TaskQueue {
	const latest = useRef(listener);
	latest.current = listener;
	const [enqueue] = useState(openTaskQueue);
	useEffect(() => {
		let keys: Keystroke[] = [];
		let field: Field | undefined;
		let before = "";
		/** Letters outside fields that may be a person's. */
		let typed = "";
		let timer: ReturnType<typeof setTimeout> | undefined;

		function takeTyped(): string {
			clearTimeout(timer);
			const letters = typed;
			typed = "";
			return letters;
		}

		/** Moves letters and the focus on to the field that is meant. The rest of a code that comes late finds its start there. */
		function passOn(letters: string): void {
			const into = latest.current.typeInto?.();
			if (!into || letters === "") return;
			into.focus();
			if (document.activeElement !== into) return;
			field = into;
			before = into.value;
			restore(into, before + letters);
		}

		function gather(letter: string): void {
			const isWord = typed !== "" || wordStart.test(letter);
			if (!isWord || !latest.current.typeInto?.()) return;
			typed += letter;
			timer = setTimeout(() => passOn(takeTyped()), typedAfterMs);
		}

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
			const isCode = isNext && !lineKeys.test(rawOf(keys) + letter);
			if (event.repeat || !isNext) {
				keys = [];
				field = focused;
				before = field?.value ?? "";
			}
			const letters = takeTyped();
			if (!field) {
				if (letters !== "" || (isCode && !event.repeat)) swallow(event);
				typed = letters;
				gather(event.repeat ? "" : letter);
			}
			if (!event.repeat) keys.push({ letter, at: event.timeStamp });
		}

		function isWithin(event: KeyboardEvent, gapMaxMs: number): boolean {
			const last = keys.at(-1);
			if (!last) return false;
			const gap = event.timeStamp - last.at;
			return gap >= 0 && gap <= gapMaxMs;
		}

		function onEnter(event: KeyboardEvent): void {
			const letters = takeTyped();
			const target = targetOf(field);
			const isPrompt = isWithin(event, latest.current.gapMaxMs ?? scanGapMaxMs);
			const last = keys.at(-1);
			if (!last || field?.type === "password") return;
			if (!isPrompt && (field || !isWithin(event, enterGapMaxMs))) return;
			const enterAt = isPrompt ? event.timeStamp : last.at;
			const burst = judgeBurst(keys, enterAt, target);
			const raw = rawOf(keys);
			if (burst === "typed") {
				// Outside fields, it would press what is focused.
				if (letters !== "") swallow(event);
				passOn(letters);
				return;
			}
			swallow(event);
			const code = withoutPrefix(raw);
			const first = keys[0] as Keystroke;
			const gapMs = Math.round((last.at - first.at) / (keys.length - 1));
			const takeOut = field && takerOut(field, before);
			if (burst === "scan") takeOut?.();
			const into = field;
			const position = field?.selectionEnd ?? 0;
			enqueue(async () => {
				if (burst === "maybe") {
					if (!(await latest.current.isKnown(code))) {
						// Outside fields, the Enter of any code would press the focused element.
						if (into) passOnEnter(into, position);
						else passOn(letters);
						return;
					}
					takeOut?.();
				}
				await latest.current.onScan({ code, raw, gapMs });
			});
		}

		addEventListener("keydown", onKey, { capture: true });
		return () => {
			takeTyped();
			removeEventListener("keydown", onKey, { capture: true });
		};
	}, [enqueue]);
	return enqueue;
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

function rawOf(keys: readonly Keystroke[]): string {
	return keys.map(({ letter }) => letter).join("");
}

function withoutPrefix(typed: string): string {
	const prefix = readPrefix();
	return prefix && typed.startsWith(prefix)
		? typed.slice(prefix.length)
		: typed;
}

/** @returns a function that removes the code from a field and keeps what was typed after it */
function takerOut(field: Field, before: string): () => void {
	const { length } = field.value;
	return () => restore(field, before + field.value.slice(length));
}

/** Held Enters, passed on and not to be read again. */
const passedOn = new WeakSet<Event>();

/** Replays a held Enter in its field. @param position where it was pressed; more may have been typed since */
function passOnEnter(field: Field, position: number): void {
	const enter = new KeyboardEvent("keydown", {
		...{ key: "Enter", code: "Enter" },
		...{ bubbles: true, cancelable: true },
	});
	passedOn.add(enter);
	// A browser's own reactions happen only for real keys.
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

/** Sets a field's value as typing would, so that React notices. */
function restore(field: Field, value: string): void {
	const prototype = Object.getPrototypeOf(field);
	Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
