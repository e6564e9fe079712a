import { useEffect, useState } from "react";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import type { useSetting } from "./use-setting.ts";

/** An amount or a share among the shop's settings; an empty field is none. */
export function DecimalSetting({
	label,
	placeholder,
	setting,
}: {
	label: string;
	placeholder?: string;
	setting: Pick<
		ReturnType<typeof useSetting<"cashUnit">>,
		"value" | "change" | "save" | "error"
	>;
}) {
	const [typed, setTyped] = useState("");
	// What is typed stays as it is, such as "0.50", while it means the same.
	useEffect(() => {
		setTyped((before) =>
			(decimalOf(before) ?? null) === setting.value
				? before
				: String(setting.value ?? ""),
		);
	}, [setting.value]);
	return (
		<DecimalField
			label={label}
			placeholder={placeholder}
			value={typed}
			onChange={(text) => {
				setTyped(text);
				setting.change(decimalOf(text) ?? null);
			}}
			onBlur={setting.save}
			error={setting.error}
		/>
	);
}
