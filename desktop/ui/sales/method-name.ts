import { methods } from "../till/sale.ts";
import { useWords } from "../words/index.ts";

const named = [...methods, "BANK", "CREDIT", "MIXED"] as const;

/** Names a payment method in the user's language; a method unknown to the app stays as it is. */
export function useMethodName(): (method: string) => string {
	const { say } = useWords();
	return (method) => {
		const known = named.find((one) => one === method);
		return known ? say(`pay.${known}`) : method;
	};
}
