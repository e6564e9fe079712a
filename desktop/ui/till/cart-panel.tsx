import {
	ActionIcon,
	Button,
	Divider,
	Group,
	Menu,
	NumberInput,
	Popover,
	Stack,
	Text,
	Textarea,
	Title,
} from "@mantine/core";
import { Minus, Pause, Percent, Plus, StickyNote, Trash2 } from "lucide-react";
import { memo, useCallback, useState } from "react";
import { amountMax } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { decimalOf } from "../components/decimal.ts";
import { useUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { useMayManage } from "../session.tsx";
import { useWords } from "../words/index.ts";
import {
	type Cart,
	type CartLine,
	changeLine,
	discount,
	lacksPrice,
	lineTotal,
	plus,
	putBack,
	totalOf,
} from "./cart.ts";
import { type UnusualQuantity, usualMax } from "./quantity-question.tsx";
import { TypedNumber } from "./typed-number.tsx";

/** The current sale. */
export const CartPanel = memo(function CartPanel({
	cart,
	held,
	products,
	onChange,
	onClear,
	onHold,
	onResume,
	onPay,
	isTitled,
	onUnusualQuantity,
}: {
	cart: Cart;
	held: Cart[];
	/** The cart's products by id, as far as they are loaded. */
	products: ReadonlyMap<string, Product>;
	onChange(changed: (cart: Cart) => Cart): void;
	onClear(): void;
	onHold(): void;
	onResume(id: string): void;
	onPay(): void;
	/** False if the container already has a title. */
	isTitled: boolean;
	/** Asks whether an unusually large quantity is right. */
	onUnusualQuantity(doubt: UnusualQuantity): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const mayManage = useMayManage();
	const isEmpty = cart.lines.length === 0;
	const offerUndo = useUndo();
	const changeOne = useCallback(
		(line: CartLine, change: LineChange) => {
			onChange((now) => changeLine(now, line.id, change));
			if (change.quantity !== undefined && change.quantity <= 0)
				offerUndo(say("till.removed", { name: line.name }), () =>
					onChange((now) => putBack(now, [line])),
				);
		},
		[onChange, offerUndo, say],
	);
	return (
		<section className="till-cart" aria-label={say("till.cart")}>
			<Group justify={isTitled ? "space-between" : "flex-end"} p="sm">
				{isTitled && (
					<Title order={2} size="h4">
						{say("till.cart")}
					</Title>
				)}
				<Group gap={4}>
					{held.length > 0 && (
						<Menu position="bottom-end">
							<Menu.Target>
								<Button variant="light" h={44}>
									{say("till.held", { count: held.length })}
								</Button>
							</Menu.Target>
							<Menu.Dropdown>
								{held.map((one) => (
									<Menu.Item key={one.id} onClick={() => onResume(one.id)}>
										{say("till.items", { count: one.lines.length })} ·{" "}
										{format.money(totalOf(one))} ·{" "}
										{format.moment(one.heldAt ?? "")}
									</Menu.Item>
								))}
							</Menu.Dropdown>
						</Menu>
					)}
					<Note cart={cart} onChange={onChange} />
					{mayManage && <Discount onChange={onChange} isDisabled={isEmpty} />}
					<ActionIcon
						size={44}
						variant="subtle"
						aria-label={say("till.hold")}
						disabled={isEmpty}
						onClick={onHold}
					>
						<Pause size={20} />
					</ActionIcon>
					<ActionIcon
						size={44}
						variant="subtle"
						color="red"
						aria-label={say("till.clear")}
						disabled={isEmpty}
						onClick={onClear}
					>
						<Trash2 size={20} />
					</ActionIcon>
				</Group>
			</Group>
			<Divider />
			<div className="scroll" aria-live="polite">
				{isEmpty ? (
					<Text c="dimmed" ta="center" p="xl">
						{say("till.empty")}
					</Text>
				) : (
					cart.lines.map((line) => (
						<Line
							key={line.id}
							line={line}
							stock={
								line.productId && !line.isService
									? products.get(line.productId)?.quantity
									: undefined
							}
							lacksPrice={lacksPrice(line, products)}
							mayPrice={mayManage}
							onChange={changeOne}
							onUnusualQuantity={onUnusualQuantity}
						/>
					))
				)}
			</div>
			<Stack p="sm" gap="xs">
				<Group justify="space-between" align="baseline">
					<Text>{say("till.total")}</Text>
					<Text
						fz="1.9rem"
						fw={700}
						className="amount"
						data-testid="total"
						aria-live="polite"
					>
						{format.money(totalOf(cart))}
					</Text>
				</Group>
				<Button size="xl" fullWidth disabled={isEmpty} onClick={onPay}>
					{say("till.pay")}
				</Button>
			</Stack>
		</section>
	);
});

type LineChange = Partial<Pick<CartLine, "quantity" | "price">>;

/** Renders again only when its line changes: a long sale must not slow down the next scan. */
const Line = memo(function Line({
	line,
	stock,
	lacksPrice,
	mayPrice,
	onChange,
	onUnusualQuantity,
}: {
	line: CartLine;
	/** Undefined for a product without stock. */
	stock: number | undefined;
	/** The product has no price: the cashier types one. */
	lacksPrice: boolean;
	mayPrice: boolean;
	onChange(line: CartLine, change: LineChange): void;
	onUnusualQuantity(doubt: UnusualQuantity): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const set = (change: LineChange) => onChange(line, change);
	return (
		<div className="cart-line">
			<Text fw={500}>{line.name}</Text>
			<Text className="amount" fw={600}>
				{format.money(lineTotal(line))}
			</Text>
			<Group gap={4}>
				<ActionIcon
					size={44}
					variant="default"
					aria-label={`${say("till.less")}: ${line.name}`}
					onClick={() => set({ quantity: plus(line.quantity, -1) })}
				>
					<Minus size={18} />
				</ActionIcon>
				<TypedNumber
					label={`${say("till.quantity")}: ${line.name}`}
					value={line.quantity}
					width={72}
					isValid={(quantity) =>
						quantity > 0 && (quantity <= usualMax || quantity === line.quantity)
					}
					onValid={(quantity) => set({ quantity })}
					onInvalid={(quantity) => {
						if (quantity > usualMax && quantity <= amountMax)
							onUnusualQuantity({ line, quantity });
					}}
				/>
				<ActionIcon
					size={44}
					variant="default"
					aria-label={`${say("till.more")}: ${line.name}`}
					onClick={() => set({ quantity: plus(line.quantity, 1) })}
				>
					<Plus size={18} />
				</ActionIcon>
				{(mayPrice || lacksPrice) && (
					<TypedNumber
						label={`${say("till.price")}: ${line.name}`}
						value={line.price}
						width={92}
						isValid={(price) => price <= amountMax}
						onValid={(price) => set({ price })}
					/>
				)}
			</Group>
			<ActionIcon
				size={44}
				variant="subtle"
				color="gray"
				aria-label={`${say("till.remove")}: ${line.name}`}
				onClick={() => set({ quantity: 0 })}
				style={{ justifySelf: "end" }}
			>
				<Trash2 size={18} />
			</ActionIcon>
			{lacksPrice && line.price === 0 && (
				<Text
					size="sm"
					fw={600}
					c="var(--mantine-color-error)"
					style={{ gridColumn: "1 / -1" }}
				>
					{say("till.unpriced")}
				</Text>
			)}
			{stock !== undefined && line.quantity > stock && (
				<Text size="sm" fw={600} style={{ gridColumn: "1 / -1" }}>
					{say("till.below")}
				</Text>
			)}
		</div>
	);
});

function Note({
	cart,
	onChange,
}: {
	cart: Cart;
	onChange(changed: (cart: Cart) => Cart): void;
}) {
	const { say } = useWords();
	return (
		<Popover position="bottom-end" withArrow trapFocus>
			<Popover.Target>
				<ActionIcon
					size={44}
					variant={cart.note ? "light" : "subtle"}
					aria-label={say("till.note")}
				>
					<StickyNote size={20} />
				</ActionIcon>
			</Popover.Target>
			<Popover.Dropdown>
				<Textarea
					label={say("till.note")}
					value={cart.note}
					maxLength={1_900}
					autosize
					minRows={2}
					onChange={({ currentTarget: { value } }) =>
						onChange((now) => ({ ...now, note: value }))
					}
				/>
			</Popover.Dropdown>
		</Popover>
	);
}

function Discount({
	onChange,
	isDisabled,
}: {
	onChange(changed: (cart: Cart) => Cart): void;
	isDisabled: boolean;
}) {
	const { say } = useWords();
	const [percent, setPercent] = useState<number | string>(5);
	const [isOpen, setOpen] = useState(false);
	const off = decimalOf(percent);
	return (
		<Popover
			position="bottom-end"
			withArrow
			trapFocus
			opened={isOpen}
			onChange={setOpen}
		>
			<Popover.Target>
				<ActionIcon
					size={44}
					variant="subtle"
					disabled={isDisabled}
					aria-label={say("till.discount")}
					onClick={() => setOpen(!isOpen)}
				>
					<Percent size={20} />
				</ActionIcon>
			</Popover.Target>
			<Popover.Dropdown>
				<form
					onSubmit={(event) => {
						event.preventDefault();
						if (off === undefined) return;
						onChange((now) => discount(now, Math.min(off, 100) / 100));
						setOpen(false);
					}}
				>
					<Stack gap="xs">
						<NumberInput
							label={say("till.percent")}
							value={percent}
							onChange={setPercent}
							min={0}
							max={100}
							allowNegative={false}
							size="md"
						/>
						<Button type="submit" disabled={off === undefined}>
							{say("till.apply")}
						</Button>
					</Stack>
				</form>
			</Popover.Dropdown>
		</Popover>
	);
}
