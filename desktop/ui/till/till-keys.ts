import { type RefObject, useEffect, useRef } from "react";

interface Keys {
	/** An open sheet handles its own keys. */
	isOff: boolean;
	search: RefObject<HTMLInputElement | null>;
	on: {
		pay(): void;
		exact(): void;
		hold(): void;
		help(): void;
		openItem: (() => void) | undefined;
		discount: (() => void) | undefined;
		/** Sells the line that was touched last in its product's next pack. */
		pack(): void;
		/** Asks who sells now. */
		cashier: (() => void) | undefined;
		/** Adds to the line that was touched last. */
		more(quantity: number): void;
		/** Takes that line out. */
		remove(): void;
		/** Goes to its quantity. */
		quantity(): void;
	};
}

/** The till's keys, wherever the focus is, as long as nothing is being typed. */
export function useTillKeys(keys: Keys): void {
	const latest = useRef(keys);
	latest.current = keys;
	useEffect(() => {
		function onKey(event: KeyboardEvent): void {
			if (latest.current.isOff || event.altKey || event.metaKey) return;
			const action =
				actionOf(event, latest.current.on) ??
				(isTyping(event, latest.current) ? undefined : lineAction(event));
			if (!action) return;
			action(latest.current);
			event.preventDefault();
		}
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
}

type Action = (keys: Keys) => void;

function actionOf(
	{ key, ctrlKey }: KeyboardEvent,
	on: Keys["on"],
): Action | undefined {
	if (ctrlKey) return key === "Enter" ? on.exact : undefined;
	const actions: Record<string, (() => void) | undefined> = {
		F1: on.help,
		F2: on.pack,
		F3: on.cashier,
		F4: on.openItem,
		F6: on.discount,
		F8: on.pay,
		F9: on.hold,
	};
	const action = actions[key];
	// Without the event's arguments.
	return action && (() => action());
}

/** In a field letters are text; the empty search is where the focus rests, so there they are keys too. */
function isTyping({ target }: KeyboardEvent, { search }: Keys): boolean {
	const isField =
		target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
	return isField && !(target === search.current && target.value === "");
}

function lineAction({ key, ctrlKey }: KeyboardEvent): Action | undefined {
	if (ctrlKey) return undefined;
	switch (key) {
		case "/":
			return ({ search }) => search.current?.focus();
		case "?":
			return ({ on }) => on.help();
		case "+":
			return ({ on }) => on.more(1);
		case "-":
			return ({ on }) => on.more(-1);
		case "*":
			return ({ on }) => on.quantity();
		case "Delete":
			return ({ on }) => on.remove();
		default:
			return undefined;
	}
}
