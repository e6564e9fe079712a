import { useEffect, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../words/index.ts";
import { Button } from "./button.tsx";
import { messageOf } from "./error-message.ts";
import { useTopSheet } from "./open-sheets.ts";
import "./undo.css";

interface Toast {
	message: string;
	/** Absent if it was tried and failed. */
	undo?: () => unknown;
}

/** Time to read the message and find the button. */
const shownMs = 8_000;

let shown: Toast | undefined;
const listeners = new Set<() => void>();

/** Shows what was just done, with a button to undo it. One at a time: with the next, this one is final. */
export function offerUndo(message: string, undo: () => unknown): void {
	show({ message, undo });
}

/** Nobody can undo what belongs to a shop that is closed. */
export function withdrawUndo(): void {
	show(undefined);
}

function show(toast: Toast | undefined): void {
	shown = toast;
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** The toast that offers to undo; the countdown stops while it has the pointer or the focus. */
export function UndoToast() {
	const toast = useSyncExternalStore(subscribe, () => shown);
	const sheet = useTopSheet();
	const status = (
		<div aria-live="polite" role="status">
			{toast && <ToastView key={toast.message} toast={toast} />}
		</div>
	);
	return sheet ? createPortal(status, sheet) : status;
}

function ToastView({ toast }: { toast: Toast }) {
	const { say } = useWords();
	const { message, undo } = toast;
	useEffect(() => startCountdown(toast), [toast]);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only makes it stay.
		<div
			className="toast"
			onPointerEnter={stopCountdown}
			onPointerLeave={() => startCountdown(toast)}
			onFocus={stopCountdown}
			onBlur={() => startCountdown(toast)}
		>
			{message}
			{undo && (
				<Button
					size="s"
					onClick={() => {
						// The button can be pressed twice before it is gone.
						if (shown !== toast) return;
						show(undefined);
						void takeBack(undo);
					}}
				>
					{say("app.undo")}
				</Button>
			)}
		</div>
	);
}

/** Says why it can't be done, unless something else was done meanwhile. */
async function takeBack(undo: () => unknown): Promise<void> {
	try {
		await undo();
	} catch (error) {
		if (!shown) show({ message: messageOf(error) });
	}
}

let timer: ReturnType<typeof setTimeout> | undefined;

function startCountdown(toast: Toast): () => void {
	stopCountdown();
	timer = setTimeout(() => {
		if (shown === toast) show(undefined);
	}, shownMs);
	return stopCountdown;
}

function stopCountdown(): void {
	clearTimeout(timer);
}
