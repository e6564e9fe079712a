import { useEffect, useState } from "react";

/** Whether a sale's receipt has been printed since it was shown, also by the browser's own command. */
export function usePrinted(saleId: string): boolean {
	const [printedId, setPrintedId] = useState<string>();
	useEffect(() => {
		const note = () => setPrintedId(saleId);
		addEventListener("afterprint", note);
		return () => removeEventListener("afterprint", note);
	}, [saleId]);
	return printedId === saleId;
}
