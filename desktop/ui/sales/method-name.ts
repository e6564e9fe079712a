import { methods } from "../till/sale.ts";
import { useWords } from "../words/index.ts";

/** Names a payment method in the reader's language; one that an importer or an API made up stays as it is. */
export function useMethodName(): (method: string) => string {
	const { say } = useWords();
	return (method) => {
		const known = methods.find((one) => one === method);
		return known ? say(`pay.${known}`) : method;
	};
}
