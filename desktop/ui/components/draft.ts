import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { useShop } from "../session.tsx";

const drafts = new Map<string, object>();

/** Keeps what was typed into a form that is closed without being sent, until it opens again. */
export function useDraft<T extends object>(
	name: string,
	form: UseFormReturnType<T>,
): void {
	const { user } = useShop().session;
	const key = `${user.businessId} ${user.id} ${name}`;
	const latest = useRef(form);
	latest.current = form;
	useEffect(() => {
		const kept = drafts.get(key);
		if (kept) latest.current.setValues(kept as Partial<T>);
		return () => {
			if (latest.current.isDirty()) drafts.set(key, latest.current.getValues());
			else drafts.delete(key);
		};
	}, [key]);
}
