import { Printer } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { Product } from "../../../sync/entities/product.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { DecimalField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useShop } from "../session.tsx";
import { inChunks } from "../shop/in-chunks.ts";
import { localValues } from "../stored-values.ts";
import { useWords } from "../words/index.ts";
import { LabelPaper } from "./label-paper.tsx";
import { labelSheets, type SheetName } from "./label-sheets.ts";
import { LabelView } from "./label-view.tsx";
import "./labels.css";

const names = Object.keys(labelSheets) as SheetName[];
const sheetKey = "counterfoil-label-sheet";
/** More than anybody prints at once. */
const copiesMax = 100;

type Copies = "one" | "stock";

/** Prints labels of products on sheets or a roll, and then remembers what they say. */
export default function LabelsSheet({
	products,
	onClose,
}: {
	products: readonly Product[];
	onClose(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [name, setName] = useState(readSheet);
	const [copies, setCopies] = useState<Copies>("one");
	const [used, setUsed] = useState("");
	const [isPrinting, setPrinting] = useState(false);
	const [isPrinted, setPrinted] = useState(false);
	const sheet = labelSheets[name];
	const priced = products
		.filter(
			({ sellingPrice, isService }) => sellingPrice !== null && !isService,
		)
		.sort((a, b) => a.name.localeCompare(b.name));
	const [first] = priced;
	const labels = priced.flatMap((product) =>
		new Array<Product>(countOf(product, copies)).fill(product),
	);

	function print(): void {
		flushSync(() => setPrinting(true));
		window.print();
		setPrinting(false);
		setPrinted(true);
	}

	async function remember(): Promise<void> {
		const isDone = await attempt(async () => {
			await inChunks(priced, ({ id, name, sellingPrice, sku }) =>
				shop.mutate("label.set", {
					...{ id, name, price: sellingPrice ?? 0, code: sku },
				}),
			);
		});
		if (isDone) onClose();
	}

	return (
		<Sheet title={say("labels.title")} onClose={onClose}>
			{problem}
			<SelectField
				label={say("labels.sheet")}
				value={name}
				options={names.map((value) => ({
					value,
					label: say(
						labelSheets[value].page === "A4" ? "labels.onA4" : "labels.onRoll",
						{ sheet: value },
					),
				}))}
				onChange={(value) => {
					localValues.write(sheetKey, value);
					setName(value as SheetName);
				}}
			/>
			<SelectField
				label={say("labels.copies")}
				value={copies}
				options={(["one", "stock"] as const).map((value) => ({
					value,
					label: say(`labels.${value}`),
				}))}
				onChange={(value) => setCopies(value as Copies)}
			/>
			{sheet.page === "A4" && (
				<DecimalField
					label={say("labels.used")}
					inputMode="numeric"
					value={used}
					onChange={setUsed}
				/>
			)}
			{first && (
				<div className="labels-preview">
					<LabelView product={first} sheet={sheet} />
				</div>
			)}
			<p className="muted" role="status">
				{say("labels.count", { count: labels.length })}
				{priced.length < products.length && ` ${say("labels.unpriced")}`}
			</p>
			{isPrinted ? (
				<>
					<p className="strong">{say("labels.rightQuestion")}</p>
					<div className="sheet-foot">
						<Button onClick={print}>{say("labels.again")}</Button>
						<Button kind="ink" isBusy={isBusy} onClick={() => void remember()}>
							{say("labels.right")}
						</Button>
					</div>
				</>
			) : (
				<Button kind="ink" disabled={labels.length === 0} onClick={print}>
					<Printer size={18} aria-hidden />
					{say("labels.print")}
				</Button>
			)}
			{isPrinting && (
				<LabelPaper
					products={labels}
					sheet={sheet}
					used={Math.floor(Number(used)) || 0}
				/>
			)}
		</Sheet>
	);
}

function readSheet(): SheetName {
	const kept = localValues.read(sheetKey);
	return names.find((name) => name === kept) ?? "3 × 8";
}

function countOf({ quantity }: Product, copies: Copies): number {
	if (copies === "one") return 1;
	return Math.min(Math.max(Math.floor(quantity), 0), copiesMax);
}
