import { useQuery } from "@tanstack/react-query";
import { type Paper, papers } from "../../../sync/receipts/receipt-page.ts";
import { localValues } from "../stored-values.ts";

const paperKey = "counterfoil-receipt-paper";

/** The paper that this browser prints receipts on; a printer that a desktop till chose has its own. */
export function readPaper(): Paper {
	const kept = localValues.read(paperKey);
	return papers.find((paper) => paper === kept) ?? "80";
}

export function writePaper(paper: Paper): void {
	localValues.write(paperKey, paper);
}

/** The paper of this till's receipts, wherever they are printed. */
export function usePaper(): Paper {
	const { till } = window;
	const { data } = useQuery({
		queryKey: ["printers"],
		queryFn: () => till?.printers(),
		enabled: till !== undefined,
	});
	const width = data?.chosen?.width;
	return width === undefined ? readPaper() : `${width}`;
}
