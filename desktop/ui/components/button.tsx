import type { ButtonHTMLAttributes, ReactNode } from "react";
import "./button.css";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
	/** `pay` takes money and is the only green one; `ink` is a screen's main action. */
	kind?: "default" | "ink" | "pay" | "quiet";
	size?: "s" | "m" | "l";
	isDanger?: boolean;
	isWide?: boolean;
	/** Shows that the action is under way; a second press does nothing. */
	isBusy?: boolean;
	children: ReactNode;
}

/** A plain element: the till draws many of them. */
export function Button({
	kind = "default",
	size = "m",
	isDanger = false,
	isWide = false,
	isBusy = false,
	className = "",
	type = "button",
	disabled,
	...rest
}: Props) {
	const classes = [
		"btn",
		`btn-${kind}`,
		`btn-${size}`,
		isDanger && "btn-danger",
		isWide && "btn-wide",
		isBusy && "btn-busy",
		className,
	];
	return (
		<button
			type={type}
			className={classes.filter(Boolean).join(" ")}
			disabled={disabled || isBusy}
			{...rest}
		/>
	);
}

/** A button that shows an icon alone; its label is read out and shown on hover. */
export function IconButton({
	label,
	className = "",
	...rest
}: Omit<Props, "size"> & { label: string }) {
	return (
		<Button
			kind="quiet"
			aria-label={label}
			title={label}
			className={`btn-icon ${className}`}
			{...rest}
		/>
	);
}
