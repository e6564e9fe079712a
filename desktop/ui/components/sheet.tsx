import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useWords } from "../words/index.ts";
import { IconButton } from "./button.tsx";
import { putOnTop } from "./open-sheets.ts";
import "./sheet.css";

/**
 * A sheet over the page: a dialog that the browser itself keeps the focus in. It is drawn only while it is open, closes
 * at once, and gives the focus back.
 */
export function Sheet({
	title,
	aside,
	place = "side",
	mayCloseByTap = true,
	onClose,
	children,
}: {
	title: ReactNode;
	/** Shown beside the title. */
	aside?: ReactNode;
	/** `goods` leaves the till's sale in sight. */
	place?: "goods" | "side";
	/** False while something typed would be lost by a tap beside the sheet. */
	mayCloseByTap?: boolean;
	onClose(): void;
	children: ReactNode;
}) {
	const { say } = useWords();
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	const close = useRef(onClose);
	close.current = onClose;
	// Before the next key: it may be the first digit of an amount.
	useLayoutEffect(() => {
		const dialog = ref.current as HTMLDialogElement;
		const before = document.activeElement;
		dialog.showModal();
		// A browser would focus the close button.
		const first = dialog.querySelector<HTMLElement>("[data-autofocus]");
		(first ?? dialog).focus();
		const takeAway = putOnTop(dialog);
		// At a second Escape in a row a browser closes it without asking.
		const onClosed = () => close.current();
		dialog.addEventListener("close", onClosed);
		return () => {
			takeAway();
			dialog.removeEventListener("close", onClosed);
			dialog.close();
			if (before instanceof HTMLElement) before.focus({ preventScroll: true });
		};
	}, []);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it.
		<dialog
			ref={ref}
			tabIndex={-1}
			className={`sheet sheet-over-${place}`}
			aria-labelledby={titleId}
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
			// The dialog itself is hit only beside its content.
			onClick={(event) => {
				if (event.target === ref.current && mayCloseByTap && isBeside(event))
					onClose();
			}}
		>
			<div className="sheet-head">
				<h2 id={titleId}>{title}</h2>
				<div className="row-flex">
					{aside}
					<IconButton label={say("app.close")} onClick={onClose}>
						<X size={20} aria-hidden />
					</IconButton>
				</div>
			</div>
			<div className="sheet-body">{children}</div>
		</dialog>
	);
}

function isBeside({
	clientX,
	clientY,
	currentTarget,
}: React.MouseEvent<HTMLDialogElement>): boolean {
	const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
	return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
