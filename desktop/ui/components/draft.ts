import type { UseFormReturnType } from "@mantine/form";
import { useLayoutEffect, useRef } from "react";
import { useShop } from "../session.tsx";

const drafts = new Map<string, object>();

/**
 * Restores what was typed into a form that was closed without being sent.
 *
 * @returns a function that sends it. A form that is closed meanwhile is restored only if that fails
 */
export function useDraft<T extends object>(
	name: string,
	form: UseFormReturnType<T>,
): (work: () => Promise<boolean>) => Promise<boolean> {
	const { user } = useShop().session;
	const key = `${user.businessId} ${user.id} ${name}`;
	const latest = useRef(form);
	latest.current = form;
	const sending = useRef(0);
	const isGone = useRef(false);
	// Before the empty form shows.
	useLayoutEffect(() => {
		const kept = drafts.get(key);
		if (kept) latest.current.setValues(kept as Partial<T>);
		isGone.current = false;
		return () => {
			isGone.current = true;
			if (latest.current.isDirty() && sending.current === 0)
				drafts.set(key, latest.current.getValues());
			else drafts.delete(key);
		};
	}, [key]);

	return async (work) => {
		const values = latest.current.getValues();
		sending.current += 1;
		const isSent = await work();
		sending.current -= 1;
		if (!isSent && isGone.current) drafts.set(key, values);
		return isSent;
	};
}
