/** A person's initials. Decoration: their name stands beside it. */
export function Avatar({ name, hue = 8 }: { name: string; hue?: number }) {
	return (
		<span
			className="avatar"
			data-initials={[...name.trim()].slice(0, 2).join("")}
			style={{ "--hue": `var(--hue-${hue})` } as React.CSSProperties}
			aria-hidden
		/>
	);
}
