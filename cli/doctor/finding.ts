/** The result of one check, with advice if it is not ok. */
export interface Finding {
	name: string;
	state: "ok" | "warning" | "problem";
	found: string;
	advice: string | null;
}

export function ok(name: string, found: string): Finding {
	return { name, state: "ok", found, advice: null };
}

export function warning(name: string, found: string, advice: string): Finding {
	return { name, state: "warning", found, advice };
}

export function problem(name: string, found: string, advice: string): Finding {
	return { name, state: "problem", found, advice };
}
