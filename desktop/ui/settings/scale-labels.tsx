import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import type { ScaleLabel } from "../../../sync/entities/scale-label.ts";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

const prefixes = [
	...Array.from({ length: 10 }, (_, i) => String(20 + i)),
	"02",
];

/** The layouts that scales come with: the digits of the product, of a check and of the value. */
const layouts = [
	{ holds: "weight", itemDigits: 5, hasValueCheck: false, decimals: 3 },
	{ holds: "weight", itemDigits: 4, hasValueCheck: false, decimals: 3 },
	{ holds: "weight", itemDigits: 6, hasValueCheck: false, decimals: 3 },
	{ holds: "weight", itemDigits: 4, hasValueCheck: true, decimals: 3 },
	{ holds: "price", itemDigits: 5, hasValueCheck: false, decimals: 2 },
	{ holds: "price", itemDigits: 5, hasValueCheck: false, decimals: 0 },
	{ holds: "price", itemDigits: 4, hasValueCheck: true, decimals: 2 },
	{ holds: "price", itemDigits: 5, hasValueCheck: true, decimals: 2 },
] as const satisfies readonly Omit<ScaleLabel, "prefix">[];

const layoutOf = ({ prefix: _, ...layout }: ScaleLabel) => keyOf(layout);
const keyOf = (layout: Omit<ScaleLabel, "prefix">) =>
	[layout.holds, layout.itemDigits, layout.hasValueCheck, layout.decimals].join(
		" ",
	);

/** How the codes that a scale prints are read, with a field to try one. */
export function ScaleLabels({ business }: { business: Business }) {
	const { say } = useWords();
	const setting = useSetting(business, "scaleLabels", say("settings.scale"));
	const labels: readonly ScaleLabel[] = setting.value ?? [];
	const free = prefixes.find((one) =>
		labels.every(({ prefix }) => prefix !== one),
	);

	const change = (at: number, with_: Partial<ScaleLabel>) =>
		setting.change(
			labels.map((one, i) => (i === at ? { ...one, ...with_ } : one)),
		);

	return (
		<SavedSection title={say("settings.scale")} isSaved={setting.isSaved}>
			<p>{say("settings.scaleLead")}</p>
			{labels.map((label, i) => (
				<div className="settings-scale" key={label.prefix}>
					<SelectField
						label={say("settings.scalePrefix")}
						value={label.prefix}
						options={prefixes
							.filter(
								(one) =>
									one === label.prefix ||
									labels.every(({ prefix }) => prefix !== one),
							)
							.map((value) => ({ value, label: value }))}
						onChange={(prefix) => change(i, { prefix })}
					/>
					<SelectField
						label={say("settings.scaleLayout")}
						value={layoutOf(label)}
						options={layouts.map((layout) => ({
							value: keyOf(layout),
							label: layoutWords(layout, say),
						}))}
						onChange={(key) =>
							change(i, layouts.find((one) => keyOf(one) === key) ?? {})
						}
					/>
					<IconButton
						isDanger
						label={`${say("settings.scaleRemove")}: ${label.prefix}`}
						onClick={() => setting.change(labels.filter((_, at) => at !== i))}
					>
						<Trash2 size={20} aria-hidden />
					</IconButton>
				</div>
			))}
			<div>
				<Button
					disabled={free === undefined}
					onClick={() =>
						free && setting.change([...labels, { prefix: free, ...layouts[0] }])
					}
				>
					{say("settings.scaleAdd")}
				</Button>
			</div>
			{labels.length > 0 && <TryLabel />}
		</SavedSection>
	);
}

/** Says what a code would sell. */
function TryLabel() {
	const { say } = useWords();
	const format = useFormat();
	const [code, setCode] = useState("");
	const { data } = useAnswer(
		"product.byCode",
		{ code },
		{ enabled: code.length >= 12 },
	);
	function result(): string {
		if (code.length < 12 || !data) return "";
		const { product, label } = data;
		if (!label) return say("settings.scaleNone");
		const value =
			label.holds === "weight"
				? format.quantity(label.value)
				: format.money(label.value);
		return product
			? `${product.name}: ${value}`
			: say("settings.scaleUnknown", { value });
	}
	return (
		<div className="settings-narrow">
			<TextField
				label={say("settings.scaleTry")}
				value={code}
				inputMode="numeric"
				maxLength={13}
				onChange={(typed) => setCode(typed.replace(/\D/g, ""))}
			/>
			<p role="status" className="strong">
				{result()}
			</p>
		</div>
	);
}

function layoutWords(
	{ holds, itemDigits, hasValueCheck, decimals }: (typeof layouts)[number],
	say: ReturnType<typeof useWords>["say"],
): string {
	const check = hasValueCheck ? "C" : "";
	const value = "V".repeat(10 - itemDigits - check.length);
	const digits = `${"I".repeat(itemDigits)} ${check}${check && " "}${value}`;
	return say(
		holds === "weight" ? "settings.scaleWeight" : "settings.scalePrice",
		{ digits, decimals },
	);
}
