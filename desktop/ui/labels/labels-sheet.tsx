import { Printer } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { Product } from "../../../sync/entities/product.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useShop } from "../session.tsx";
import { inChunks } from "../shop/in-chunks.ts";
import { localValues } from "../stored-values.ts";
import { useWords } from "../words/index.ts";
import { LabelPaper } from "./label-paper.tsx";
import {
	type LabelSheet,
	labelSheets,
	type SheetName,
} from "./label-sheets.ts";
import { LabelView } from "./label-view.tsx";
import { sendLabels, type Way, ways } from "./send-labels.ts";
import { useLabelText } from "./use-label-text.ts";
import { type LabelGoods, usePackLabels } from "./use-pack-labels.ts";
import "./labels.css";

const names = Object.keys(labelSheets) as SheetName[];
const sheetKey = "counterfoil-label-sheet";
const hostKey = "counterfoil-label-printer";
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
	const [way, setWay] = useState<Way>("dialog");
	const [host, setHost] = useState(() => localValues.read(hostKey) ?? "");
	const textOf = useLabelText();
	const [isPrinting, setPrinting] = useState(false);
	const [isPrinted, setPrinted] = useState(false);
	const sheet: LabelSheet = labelSheets[name];
	const isRoll = sheet.page === "roll";
	const needsHost = isRoll && way === "zpl" && window.till !== undefined;
	const packs = usePackLabels(products);
	const [withPacks, setWithPacks] = useState(true);
	const goods: LabelGoods[] = withPacks
		? [...products, ...packs]
		: [...products];
	const priced = goods
		.filter(
			({ sellingPrice, isService }) => sellingPrice !== null && !isService,
		)
		.sort((a, b) => a.name.localeCompare(b.name));
	const [first] = priced;
	const labels = priced.flatMap((product) =>
		new Array<LabelGoods>(countOf(product, copies)).fill(product),
	);

	async function print(): Promise<void> {
		if (isRoll && way !== "dialog") {
			const texts = priced
				.map((product) => ({
					...{ ...textOf(product), copies: countOf(product, copies) },
				}))
				.filter(({ copies }) => copies > 0);
			localValues.write(hostKey, host);
			if (await attempt(() => sendLabels(texts, way, { sheet, host })))
				setPrinted(true);
			return;
		}
		flushSync(() => setPrinting(true));
		window.print();
		setPrinting(false);
		setPrinted(true);
	}

	async function remember(): Promise<void> {
		const isDone = await attempt(async () => {
			await inChunks(priced, ({ id, packId = id, name, sellingPrice, sku }) =>
				shop.mutate("label.set", {
					...{ id: packId, name, price: sellingPrice ?? 0, code: sku },
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
			{packs.length > 0 && (
				<Toggle
					label={say("labels.packs")}
					checked={withPacks}
					onChange={setWithPacks}
				/>
			)}
			{isRoll && (
				<SelectField
					label={say("labels.way")}
					value={way}
					options={ways
						.filter((value) => window.till || value !== "receipt")
						.map((value) => ({
							value,
							label: say(
								value === "zpl" && !window.till
									? "labels.zplFile"
									: `labels.${value}`,
							),
						}))}
					onChange={(value) => setWay(value as Way)}
				/>
			)}
			{needsHost && (
				<TextField
					label={say("labels.host")}
					value={host}
					maxLength={253}
					placeholder="192.168.1.60"
					onChange={setHost}
				/>
			)}
			{!isRoll && (
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
				{priced.length < goods.length && ` ${say("labels.unpriced")}`}
			</p>
			{isPrinted ? (
				<>
					<p className="strong">{say("labels.rightQuestion")}</p>
					<div className="sheet-foot">
						<Button onClick={() => void print()}>{say("labels.again")}</Button>
						<Button kind="ink" isBusy={isBusy} onClick={() => void remember()}>
							{say("labels.right")}
						</Button>
					</div>
				</>
			) : (
				<Button
					kind="ink"
					isBusy={isBusy}
					disabled={labels.length === 0 || (needsHost && host === "")}
					onClick={() => void print()}
				>
					<Printer size={18} aria-hidden />
					{say("labels.print")}
				</Button>
			)}
			{isPrinting && (
				<LabelPaper
					products={labels}
					sheet={sheet}
					used={Math.floor(decimalOf(used) ?? 0)}
				/>
			)}
		</Sheet>
	);
}

function readSheet(): SheetName {
	const kept = localValues.read(sheetKey);
	return names.find((name) => name === kept) ?? "3 × 8";
}

function countOf(
	{ quantity, packSize = 1 }: LabelGoods,
	copies: Copies,
): number {
	if (copies === "one") return 1;
	return Math.min(Math.max(Math.floor(quantity / packSize), 0), copiesMax);
}
