import { schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import {
	type KeyboardEvent,
	type RefObject,
	useEffect,
	useImperativeHandle,
	useRef,
	useState,
} from "react";
import { v7 as newId } from "uuid";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import {
	type Product,
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { cleanSigned, decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Toggle } from "../components/toggle.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { beep } from "../scanner/beep.ts";
import { findByCode } from "../scanner/product-search.ts";
import { useMayManage, useShop } from "../session.tsx";
import { createOnce } from "../shop/create-once.ts";
import { useCategories } from "../shop/use-shop-data.ts";
import { TaxSelect } from "../taxes/tax-select.tsx";
import { useWords } from "../words/index.ts";
import { CodeWarning } from "./codes.tsx";
import { lackingCodes, NewCodes, withCode } from "./new-codes.tsx";
import { UnitField } from "./unit-field.tsx";

interface Fields {
	name: string;
	sku: string;
	/** Numbers as they are typed. */
	buyingPrice: string;
	sellingPrice: string;
	quantity: string;
	lowStock: string;
	isService: boolean;
	categoryId: string | null;
	taxClass: string | null;
	unit: string;
	/** The further codes of a new product. A saved one has its own list. */
	codes: string[];
}

/** Unsaved input of a closed form, restored when the form opens again. */
interface Draft {
	fields: Partial<Fields>;
	seenQuantity: number | undefined;
}
const drafts = new Map<string, Draft>();

/** Creates or edits a product, also offline, with the same checks as the server. */
export function ProductForm({
	product,
	start,
	moved,
	scanRef,
	addCodeRef,
	onDone,
}: {
	product: Product | undefined;
	/** What is known of a new product. */
	start: { code: string; name: string };
	/** How far its stock was changed next to this form. */
	moved: number;
	/** Tells the page, which reads the scanner, what to do with a code. */
	scanRef: RefObject<((code: string) => Promise<void>) | null>;
	/** Gives the product a further code. @returns false if it is refused */
	addCodeRef: RefObject<((code: string) => Promise<boolean>) | null>;
	onDone(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { shop, session } = useShop();
	const categories = useCategories();
	const mayManage = useMayManage();
	const { attempt, problem, isBusy } = useAttempt();
	const check = schemaResolver(
		product
			? productUpdate.args.shape.set
			: productCreate.args.omit({ id: true }),
		{ sync: true },
	);
	const form = useForm({
		initialValues: fieldsOf(product, start),
		validate: (fields: Fields) => check(toSet(fields)),
	});
	const { isService } = form.values;
	/** The stock when the count was typed: sales after that are subtracted from the count. */
	const seenQuantity = useRef(product?.quantity);
	const latest = useRef(form);
	latest.current = form;
	const isSaved = useRef(false);
	const isOpen = useRef(true);
	/** Of a new product, so that a retry makes it once. */
	const { current: id } = useRef(newId());
	/** A new product whose codes were refused is saved already. */
	const isMade = useRef(false);
	const draftKey = `${session.user.businessId} ${session.user.id} ${product?.id ?? `new ${start.code}${start.name}`}`;
	const [isRestored, setRestored] = useState(false);

	useEffect(() => {
		isOpen.current = true;
		const draft = drafts.get(draftKey);
		if (draft) {
			latest.current.setValues(draft.fields);
			seenQuantity.current = draft.seenQuantity;
			setRestored(true);
		}
		return () => {
			isOpen.current = false;
			const fields = changedFields(latest.current);
			drafts.delete(draftKey);
			if (!isSaved.current && Object.keys(fields).length > 0)
				drafts.set(draftKey, { fields, seenQuantity: seenQuantity.current });
		};
	}, [draftKey]);

	// Untouched fields follow the product's current values.
	useEffect(() => {
		if (!product) return;
		const now = fieldsOf(product, start);
		const typed = changedFields(latest.current);
		latest.current.setInitialValues(now);
		latest.current.setValues({ ...now, ...typed });
		if (!("quantity" in typed)) seenQuantity.current = product.quantity;
	}, [product, start]);

	// A typed count stays the count while the stock is changed next to it.
	const knownMoved = useRef(moved);
	useEffect(() => {
		const delta = toMicros(moved) - toMicros(knownMoved.current);
		knownMoved.current = moved;
		const seen = seenQuantity.current;
		if (seen !== undefined && latest.current.isDirty("quantity"))
			seenQuantity.current = toDecimal(toMicros(seen) + delta);
	}, [moved]);

	const moveToPrice = () => form.getInputNode("sellingPrice")?.focus();
	useImperativeHandle(scanRef, () => async (scanned: string) => {
		const isFurther =
			form.values.sku !== "" &&
			form.values.sku !== scanned &&
			document.activeElement !== form.getInputNode("sku");
		if (isFurther && product)
			return beep((await addCodeRef.current?.(scanned)) === true);
		const field = isFurther ? "codes" : "sku";
		if (!isFurther) form.setFieldValue("sku", scanned);
		moveToPrice();
		const { product: other, label } = (await findByCode(shop, scanned)) ?? {};
		const isTaken = other !== undefined && !label && other.id !== product?.id;
		beep(!isTaken);
		const { sku, codes } = latest.current.getValues();
		if (isFurther && !isTaken)
			form.setFieldValue("codes", withCode(codes, scanned));
		if (isTaken && (isFurther || sku === scanned))
			form.setFieldError(
				field,
				say("products.codeTaken", { name: other.name }),
			);
	});
	/** Enter moves to the next field and doesn't save, since it may come from a scanner. */
	function moveOn(event: KeyboardEvent): void {
		if (event.key !== "Enter") return;
		event.preventDefault();
		moveToPrice();
	}

	async function save(fields: Fields): Promise<void> {
		// Validation has made sure that these are numbers.
		const { taxClass, unit, ...set } = toSet(fields) as Omit<
			MutationArgs["product.create"],
			"id"
		>;
		isSaved.current = await attempt(async () => {
			if (!product) return create({ ...set, taxClass, unit }, fields.codes);
			// Untouched fields may have been changed elsewhere.
			const changed = Object.fromEntries(
				Object.entries({ ...set, taxClass, unit }).filter(
					([field, value]) =>
						value !== (product[field as keyof typeof set] ?? null),
				),
			);
			if (Object.keys(changed).length > 0)
				await shop.mutate("product.update", {
					id: product.id,
					set: changed,
					...("quantity" in changed
						? { seenQuantity: seenQuantity.current }
						: {}),
				});
		});
		if (!isSaved.current) return;
		if (isOpen.current) return onDone();
		// It was closed meanwhile, and another may be open.
		drafts.delete(draftKey);
	}

	/** @throws unless the product and its codes are all saved; what is saved is not made twice */
	async function create(
		{ taxClass, unit, ...set }: Omit<MutationArgs["product.create"], "id">,
		codes: readonly string[],
	): Promise<void> {
		const lacking = await lackingCodes(
			shop,
			{ id, sku: set.sku ?? null, codes },
			(name) => say("products.codeTaken", { name }),
		);
		if (isMade.current)
			await shop.mutate("product.update", {
				id,
				set: { ...set, taxClass, unit },
			});
		else
			await createOnce(shop, "product", {
				...{ ...set, id },
				...(taxClass && { taxClass }),
				...(unit && { unit }),
			});
		isMade.current = true;
		for (const code of lacking)
			await shop.mutate("code.create", { id: newId(), productId: id, code });
	}

	const sellAgain = (id: string) =>
		shop.mutate("product.update", { id, set: { isActive: true } });

	async function change(make: () => Promise<unknown>): Promise<boolean> {
		const isChanged = await attempt(make);
		if (isChanged) onDone();
		return isChanged;
	}

	async function stopSelling({ id, name }: Product): Promise<void> {
		if (!(await change(() => shop.mutate("product.delete", { id })))) return;
		offerUndo(say("products.deactivated", { name }), () => sellAgain(id));
	}

	if (!mayManage) return <p>{say("app.noPermission")}</p>;
	const field = (
		name: Exclude<
			keyof Fields,
			"isService" | "categoryId" | "taxClass" | "codes"
		>,
	) => ({
		...form.getInputProps(name),
		value: form.values[name],
	});
	const isCounted = form.isDirty("quantity");
	return (
		<form className="product-form" onSubmit={form.onSubmit(save)}>
			{problem}
			<DraftNote
				isShown={isRestored && form.isDirty()}
				discard={() => {
					const typed = form.getValues();
					const seen = seenQuantity.current;
					form.reset();
					seenQuantity.current = product?.quantity;
					return () => {
						latest.current.setValues(typed);
						seenQuantity.current = seen;
					};
				}}
			/>
			<TextField
				{...field("name")}
				label={say("products.name")}
				required
				maxLength={500}
				data-autofocus
				onKeyDown={moveOn}
			/>
			<TextField
				{...field("sku")}
				label={say("products.sku")}
				maxLength={100}
				onKeyDown={moveOn}
			/>
			<CodeWarning code={form.values.sku} />
			{!product && (
				<NewCodes
					codes={form.values.codes}
					onChange={(codes) => form.setFieldValue("codes", codes)}
					error={form.errors.codes}
				/>
			)}
			<div className="field-pair">
				<DecimalField
					{...field("buyingPrice")}
					label={say("products.buying")}
				/>
				<DecimalField
					{...field("sellingPrice")}
					label={say("products.selling")}
				/>
			</div>
			<Toggle
				label={say("products.service")}
				checked={isService}
				onChange={(isOn) => form.setFieldValue("isService", isOn)}
			/>
			{!isService && (
				<div className="field-pair">
					<div>
						<TextField
							{...field("quantity")}
							inputMode="decimal"
							onChange={(typed) => {
								form.setFieldValue("quantity", cleanSigned(typed));
								seenQuantity.current = product?.quantity;
							}}
							label={say("products.stock")}
						/>
						{product && isCounted && (
							<span className="text-s muted">
								{say("products.stockNow", {
									quantity: format.quantity(product.quantity),
								})}
							</span>
						)}
					</div>
					<DecimalField {...field("lowStock")} label={say("products.warnAt")} />
				</div>
			)}
			{!isService && <UnitField {...field("unit")} />}
			<SelectField
				label={say("products.category")}
				value={form.values.categoryId ?? ""}
				onChange={(id) => form.setFieldValue("categoryId", id || null)}
				options={[
					{ value: "", label: say("products.noCategory") },
					...categories.map(({ id, name }) => ({ value: id, label: name })),
				]}
			/>
			<TaxSelect
				label={say("taxes.ofProduct")}
				value={form.values.taxClass}
				none={say("taxes.asCategory")}
				onChange={(code) => form.setFieldValue("taxClass", code)}
			/>
			<Button kind="ink" type="submit" isBusy={isBusy}>
				{say("app.save")}
			</Button>
			{product && !product.isActive && (
				<Button
					kind="quiet"
					onClick={() => change(() => sellAgain(product.id))}
				>
					{say("products.reactivate")}
				</Button>
			)}
			{product?.isActive && (
				<Button kind="quiet" isDanger onClick={() => stopSelling(product)}>
					{say("products.deactivate")}
				</Button>
			)}
		</form>
	);
}

/** Says that the fields hold changes from before, and discards them, with an Undo in the same place. */
function DraftNote({
	isShown,
	discard,
}: {
	isShown: boolean;
	/** @returns what takes it back */
	discard(): () => void;
}) {
	const { say } = useWords();
	const [undo, setUndo] = useState<{ run(): void }>();
	if (!isShown && !undo) return null;
	return (
		<div className="draft-note" role="status">
			{say(undo ? "products.draftDiscarded" : "products.draft")}
			<Button
				size="s"
				onClick={() => {
					undo?.run();
					setUndo(undo ? undefined : { run: discard() });
				}}
			>
				{say(undo ? "app.undo" : "products.discardDraft")}
			</Button>
		</div>
	);
}

/** The fields that differ from the product. */
function changedFields(form: UseFormReturnType<Fields>): Partial<Fields> {
	return Object.fromEntries(
		Object.entries(form.getValues()).filter(([field]) => form.isDirty(field)),
	);
}

function fieldsOf(
	product: Product | undefined,
	{ code, name }: { code: string; name: string },
): Fields {
	return {
		name: product?.name ?? name,
		sku: product ? (product.sku ?? "") : code,
		buyingPrice: String(product?.buyingPrice ?? ""),
		sellingPrice: String(product?.sellingPrice ?? ""),
		quantity: String(product?.quantity ?? 0),
		lowStock: String(product?.lowStock ?? 5),
		isService: product?.isService ?? false,
		categoryId: product?.categoryId ?? null,
		taxClass: product?.taxClass ?? null,
		unit: product?.unit ?? "",
		codes: [""],
	};
}

function toSet({ codes: _, ...fields }: Fields) {
	// An invalid number stays as it is, for validation to refuse it.
	const orNull = (typed: string) =>
		typed === "" ? null : (decimalOf(typed) ?? typed);
	return {
		...fields,
		sku: fields.sku.trim() || null,
		unit: fields.unit.trim() || null,
		buyingPrice: orNull(fields.buyingPrice),
		sellingPrice: orNull(fields.sellingPrice),
		quantity: orNull(fields.quantity) ?? 0,
		lowStock: orNull(fields.lowStock) ?? 0,
	};
}
