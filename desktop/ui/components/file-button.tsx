import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";

/** A button that asks for a file. */
export function FileButton({
	accept,
	kind = "default",
	isWide = false,
	isBusy = false,
	onFile,
	children,
}: {
	accept: string;
	kind?: "default" | "ink";
	isWide?: boolean;
	isBusy?: boolean;
	onFile(file: File): void;
	children: ReactNode;
}) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<Button
				kind={kind}
				isWide={isWide}
				isBusy={isBusy}
				onClick={() => input.current?.click()}
			>
				{children}
			</Button>
			<input
				ref={input}
				type="file"
				hidden
				accept={accept}
				onChange={({ currentTarget }) => {
					const file = currentTarget.files?.[0];
					// The same file, changed meanwhile, can be chosen again.
					currentTarget.value = "";
					if (file) onFile(file);
				}}
			/>
		</>
	);
}
