import type { UseFormReturnType } from "@mantine/form";
import { useLayoutEffect, useRef } from "react";
import { useShop } from "../session.tsx";

const drafts = new Map<string, object>();

/** Restores what was typed into a form that was closed without being sent. */
export function useDraft<T extends object>(
	name: string,
	form: UseFormReturnType<T>,
): void {
	const { user } = useShop().session;
	const key = `${user.businessId} ${user.id} ${name}`;
	const latest = useRef(form);
	latest.current = form;
	// Before the empty form shows.
	useLayoutEffect(() => {
		const kept = drafts.get(key);
		if (kept) latest.current.setValues(kept as Partial<T>);
		return () => {
			if (latest.current.isDirty()) drafts.set(key, latest.current.getValues());
			else drafts.delete(key);
		};
	}, [key]);
}
