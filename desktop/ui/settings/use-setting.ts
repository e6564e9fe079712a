import { useEffect, useRef, useState } from "react";
import {
	type Business,
	businessUpdateArgs,
} from "../../../sync/entities/business.ts";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { messageOf, wordsOf } from "../components/error-message.ts";
import { offerUndo } from "../components/undo.tsx";
import { useShop } from "../session.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useWords } from "../words/index.ts";

type Settings = Required<MutationArgs["business.update"]["set"]>;

/** What was typed into a field, and the stored value below it. */
interface Typed<Value> {
	value: Value;
	from: Value;
	isSent: boolean;
}

/** Typing pauses about this long between words. */
const pauseMs = 800;

/**
 * One of the shop's settings. It is saved when typing pauses or the page is left, and can be undone. A change made
 * elsewhere shows, unless this field is being edited.
 */
export function useSetting<Key extends keyof Settings>(
	business: Business,
	key: Key,
	label: string,
) {
	type Value = Settings[Key];
	const { say } = useWords();
	const { shop } = useShop();
	const stored = (business[key] ?? null) as Value;
	const [typed, setTyped] = useState<Typed<Value>>();
	const [error, setError] = useState<string>();
	const [isSaved, setSaved] = useState(false);

	const set = (value: Value) =>
		makeAndSend(shop, "business.update", {
			set: { [key]: value } as Partial<Settings>,
		});

	async function save(): Promise<void> {
		if (!typed || typed.isSent) return;
		const { value } = typed;
		if (value === stored) {
			setTyped(undefined);
			return;
		}
		const checked = businessUpdateArgs.shape.set.safeParse({ [key]: value });
		if (!checked.success) {
			const field = key === "name" ? "businessName" : key;
			setError(wordsOf({ code: "invalid_args", field, message: "" }, say));
			return;
		}
		setTyped({ value, from: stored, isSent: true });
		try {
			await set(value);
			setSaved(true);
			offerUndo(say("settings.changed", { name: label }), () => set(stored));
		} catch (failure) {
			setError(messageOf(failure));
		}
	}

	const latest = useRef(save);
	latest.current = save;
	useEffect(() => {
		if (!typed || typed.isSent) return;
		const timer = setTimeout(() => void latest.current(), pauseMs);
		return () => clearTimeout(timer);
	}, [typed]);
	useEffect(() => () => void latest.current(), []);
	useEffect(() => {
		setTyped((before) =>
			before?.isSent && before.from !== stored ? undefined : before,
		);
	}, [stored]);

	return {
		value: typed ? typed.value : stored,
		error,
		isSaved: isSaved && typed?.isSent !== false,
		change(value: Value): void {
			setError(undefined);
			setTyped({ value, from: stored, isSent: false });
		},
		/** Saves at once: after a choice, and when the field is left. */
		save: () => void latest.current(),
	};
}
