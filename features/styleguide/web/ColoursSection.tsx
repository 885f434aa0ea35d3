import { colourNames, type ColourName } from '#kit/contract/brand.ts'
import { computeContrast, hexOf } from '#kit/contract/colours.ts'
import { Table } from '#kit/web/widgets/Table.tsx'
import { type CurrentColours, useCurrentColours } from './use-current-colours.ts'
import { Section } from './Section.tsx'
import * as s from './foundations.module.css'

/** Pairs of colours and their minimum contrast: 4.5 for text, 3 for graphics. */
const pairs: readonly (readonly [of: ColourName, on: ColourName, least: number])[] = [
  ['ink', 'paper', 4.5],
  ['ink', 'surface', 4.5],
  ['ink', 'sunken', 4.5],
  ['paper', 'ink', 4.5],
  ['ink-2', 'paper', 4.5],
  ['ink-2', 'surface', 4.5],
  ['ink-2', 'sunken', 4.5],
  ['brand', 'paper', 4.5],
  ['brand', 'surface', 4.5],
  ['brand', 'brand-soft', 4.5],
  ['brand-ink', 'brand', 4.5],
  ['sun-ink', 'sun', 4.5],
  ['promo-ink', 'promo', 4.5],
  ['bad', 'paper', 4.5],
  ['bad', 'surface', 4.5],
  ['ink', 'bad-soft', 4.5],
  ['good', 'good-soft', 4.5],
  ['warn', 'warn-soft', 4.5],
  ['line-strong', 'surface', 3],
  ['brand', 'line', 3],
]

export function ColoursSection() {
  const { list, colours } = useCurrentColours()
  return (
    <Section
      title="Colours"
      note="The colours come from the brand’s file. Each colour has one value for the light theme and one for the dark theme."
    >
      <ul ref={list} className={s.swatches}>
        {colourNames.map((name) => {
          const colour = colours.get(name)
          return (
            <li key={name}>
              <svg aria-hidden="true">
                <rect data-colour={name} width="100%" height="100%" fill={`var(--${name})`} />
              </svg>
              <code>--{name}</code>
              <code className="muted">{colour && hexOf(colour)}</code>
            </li>
          )
        })}
      </ul>
      <Table
        caption="Contrast of adjacent colours"
        columns={[
          { title: 'Sample' },
          { title: 'Colour on background', isName: true },
          { title: 'Ratio', isFigure: true },
          { title: 'Minimum', isFigure: true },
        ]}
        rows={pairs.map(([of, on, least]) => ({
          key: `${of} ${on}`,
          cells: [
            <ColourSample key="sample" of={of} on={on} />,
            `${of} on ${on}`,
            <ContrastRatio key="ratio" {...{ colours, of, on, least }} />,
            least.toFixed(1),
          ],
        }))}
      />
    </Section>
  )
}

function ColourSample({ of, on }: { of: ColourName; on: ColourName }) {
  return (
    <svg className={s.sample} aria-hidden="true">
      <rect width="100%" height="100%" rx="6" fill={`var(--${on})`} />
      <text x="50%" y="65%" fill={`var(--${of})`}>
        Aa
      </text>
    </svg>
  )
}

function ContrastRatio({
  colours,
  of,
  on,
  least,
}: {
  colours: CurrentColours
  of: ColourName
  on: ColourName
  least: number
}) {
  const [one, background] = [colours.get(of), colours.get(on)]
  if (!one || !background) return <span>–</span>
  const ratio = computeContrast(one, background)
  return ratio >= least ? <span>{ratio.toFixed(1)}</span> : <b className={s.low}>{ratio.toFixed(1)} too low</b>
}
