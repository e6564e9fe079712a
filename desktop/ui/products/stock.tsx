import { useForm } from "@mantine/form";
import type { Product } from "../../../sync/entities/product.ts";
import { adjustReasons } from "../../../sync/entities/stock-movement.ts";
import { Button } from "../components/button.tsx";
import { cleanSigned, decimalOf } from "../components/decimal.ts";
import { useDraft } from "../components/draft.ts";
import { TextField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { SelectField } from "../components/select-field.tsx";
import { useFormat } from "../format.ts";
import { useKept } from "../layaways/use-kept.ts";
import { useFact } from "../shop/use-fact.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

const pageSize = 30;

/** Changes a product's stock by hand, also offline, and shows its movements. */
export function Stock({
	product,
	onMoved,
}: {
	product: Product;
	onMoved(delta: number): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const form = useForm({
		initialValues: {
			delta: "",
			reason: "received" as (typeof adjustReasons)[number],
			note: "",
		},
	});
	const send = useDraft(`stock ${product.id}`, form);
	const { record, problem, isBusy } = useFact(form.reset);
	const kept = useKept().get(product.id);
	const history = useRows(
		"product.movements",
		{ id: product.id },
		{ limit: pageSize },
	);

	async function move(values: typeof form.values): Promise<void> {
		const delta = decimalOf(values.delta);
		if (!delta) return;
		const moved = {
			...{ productId: product.id, delta, reason: values.reason },
			note: values.note.trim() || null,
		};
		await send(() => record("stock.adjust", moved, async () => onMoved(delta)));
	}

	return (
		<>
			<h3>{say("stock.move")}</h3>
			<form className="product-form" onSubmit={form.onSubmit(move)}>
				{problem}
				<div className="field-pair">
					<TextField
						inputMode="decimal"
						value={form.values.delta}
						onChange={(typed) =>
							form.setFieldValue("delta", cleanSigned(typed))
						}
						label={say("stock.by")}
					/>
					<SelectField
						label={say("sales.reason")}
						value={form.values.reason}
						onChange={(reason) =>
							form.setFieldValue("reason", reason as typeof form.values.reason)
						}
						options={adjustReasons.map((value) => ({
							value,
							label: say(`stock.${value}`),
						}))}
					/>
				</div>
				<TextField
					{...form.getInputProps("note")}
					value={form.values.note}
					label={say("till.note")}
					maxLength={500}
				/>
				<Button
					type="submit"
					isBusy={isBusy}
					disabled={!decimalOf(form.values.delta)}
				>
					{say("stock.move")}
				</Button>
			</form>
			{kept !== undefined && (
				<p className="muted">
					{say("layaways.kept", { quantity: format.quantity(kept) })}
				</p>
			)}
			<h3>{say("stock.history")}</h3>
			<LoadError error={history.error} />
			<table className="stock-history">
				<tbody>
					{history.rows.map((one) => (
						<tr key={one.id}>
							<td>
								{say(`stock.${one.reason}`)}
								<div className="text-s muted">
									{[format.moment(one.createdAt), one.userName, one.note]
										.filter(Boolean)
										.join(" · ")}
								</div>
							</td>
							<td className="amount">
								{one.delta > 0 ? "+" : ""}
								{format.quantity(one.delta)}
								<div className="text-s muted">
									{say("stock.left", {
										quantity: format.quantity(one.quantityAfter),
									})}
								</div>
							</td>
						</tr>
					))}
				</tbody>
			</table>
			<MoreButton list={history} />
		</>
	);
}
