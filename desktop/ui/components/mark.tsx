/** The mark: a leaf of a receipt book with its perforation. */
export function Mark({ size = 34 }: { size?: number }) {
	return (
		<svg width={size} height={size} viewBox="0 0 34 34" aria-hidden>
			<path
				d="M7 1h20a6 6 0 0 1 6 6v20a6 6 0 0 1-6 6H7a6 6 0 0 1-6-6V7a6 6 0 0 1 6-6z"
				fill="var(--ink)"
			/>
			<g fill="var(--ground)">
				<circle cx="12" cy="1" r="2.6" />
				<circle cx="12" cy="33" r="2.6" />
				{[8, 12.5, 17, 21.5, 26].map((y) => (
					<circle key={y} cx="12" cy={y} r="1.3" />
				))}
			</g>
			<path
				d="M18 11.5h9M18 17h9M18 22.5h5.5"
				stroke="var(--surface)"
				strokeWidth="2.4"
				strokeLinecap="round"
			/>
		</svg>
	);
}
