import { Barcode, Percent, Trash2 } from "lucide-react";
import { useState } from "react";
import { Alert } from "../components/alert.tsx";
import { Busy } from "../components/busy.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { DecimalField, TextField } from "../components/field.tsx";
import { Keypad } from "../components/keypad.tsx";
import { Rating } from "../components/rating.tsx";
import { Sheet } from "../components/sheet.tsx";
import { offerUndo } from "../components/undo.tsx";

const kinds = ["default", "ink", "pay", "quiet"] as const;

/** Each kind of button in each state. */
export function Buttons() {
	return (
		<>
			{kinds.map((kind) => (
				<div key={kind} className="styleguide-row">
					<Button kind={kind}>{kind}</Button>
					<Button kind={kind} disabled>
						disabled
					</Button>
					<Button kind={kind} isBusy aria-label={`${kind}, busy`}>
						busy
					</Button>
					{["s", "m", "l"].map((size) => (
						<Button key={size} kind={kind} size={size as "s"}>
							size {size} <kbd aria-hidden>F8</kbd>
						</Button>
					))}
				</div>
			))}
			<div className="styleguide-row">
				<Button aria-pressed>pressed</Button>
				<Button aria-pressed={false}>not pressed</Button>
				<Button isDanger>danger</Button>
				<Button isDanger disabled>
					danger, disabled
				</Button>
				<IconButton label="Icon button">
					<Percent size={20} aria-hidden />
				</IconButton>
				<IconButton label="Icon button, pressed" aria-pressed>
					<Barcode size={20} aria-hidden />
				</IconButton>
				<IconButton label="Icon button, danger" isDanger>
					<Trash2 size={20} aria-hidden />
				</IconButton>
				<IconButton label="Icon button, disabled" disabled>
					<Trash2 size={20} aria-hidden />
				</IconButton>
				<ConfirmButton
					label="Confirm button"
					question="Really?"
					onConfirm={() => {}}
				/>
			</div>
			<Button isWide>wide</Button>
		</>
	);
}

/** Fields with and without a value, with an error, disabled and large. */
export function Fields() {
	const [text, setText] = useState("Brown bread");
	const [amount, setAmount] = useState("1250.5");
	return (
		<div className="styleguide-columns">
			<TextField label="Text" value={text} onChange={setText} />
			<TextField
				label="Empty, with a placeholder"
				placeholder="Search or scan"
				value=""
				onChange={setText}
			/>
			<TextField
				label="With an error"
				value=""
				onChange={setText}
				error="Type a name."
			/>
			<TextField label="Disabled" value={text} onChange={setText} disabled />
			<DecimalField label="Decimal" value={amount} onChange={setAmount} />
			<DecimalField
				label="Decimal, large"
				isLarge
				value={amount}
				onChange={setAmount}
			/>
			<Keypad value={amount} onChange={setAmount} />
		</div>
	);
}

/** A choice of one, and one of categories with their hues. */
export function Choices() {
	const [method, setMethod] = useState("CASH");
	const [category, setCategory] = useState<string | null>(null);
	return (
		<>
			<Chips<string>
				label="Payment method"
				value={method}
				onChange={setMethod}
				choices={["CASH", "M-PESA", "CARD"].map((value) => ({
					value,
					label: value,
				}))}
			/>
			<Chips
				label="Category"
				value={category}
				onChange={setCategory}
				choices={[
					{ value: null, label: "All" },
					{ value: "1", label: "Drinks", hue: 1 },
					{ value: "2", label: "Dairy", hue: 2 },
				]}
			/>
		</>
	);
}

/** What comes over the page: a sheet at the side, one over the goods, and the toast. */
export function Overlays() {
	const [place, setPlace] = useState<"goods" | "side">();
	return (
		<div className="styleguide-row">
			<Button onClick={() => setPlace("side")}>Open a sheet</Button>
			<Button onClick={() => setPlace("goods")}>
				Open a sheet over the goods
			</Button>
			<Button onClick={() => offerUndo("Bread removed", () => {})}>
				Show the toast
			</Button>
			{place && (
				<Sheet
					title="A sheet"
					aside={<span className="muted">Aside</span>}
					place={place}
					onClose={() => setPlace(undefined)}
				>
					<p>Escape, its button or a tap beside it closes it.</p>
					<div className="sheet-foot">
						<Button onClick={() => setPlace(undefined)}>Not now</Button>
						<Button kind="ink" onClick={() => setPlace(undefined)}>
							Main action
						</Button>
					</div>
				</Sheet>
			)}
		</div>
	);
}

/** What a page says while it waits, and when something went wrong. */
export function Messages() {
	const [rating, setRating] = useState(4);
	return (
		<>
			<Alert>The server refused it.</Alert>
			<Alert tone="plain">This page needs the server.</Alert>
			<div className="styleguide-row">
				<Busy />
				<Rating label="Rating" value={rating} onChange={setRating} />
				<Rating label="4 / 5" value={4} />
			</div>
		</>
	);
}
