import { Section } from './Section.tsx'
import * as s from './foundations.module.css'

const sizes = [
  ['--text-xs', 's13', 'Hints below fields, table headings'],
  ['--text-s', 's14', 'Buttons, errors, small print'],
  ['--text-m', 's15', 'Labels, menus, rows'],
  ['1rem', 's16', 'Body text'],
  ['--text-l', 's18', 'The brand’s name beside its logo'],
  ['--text-xl', 's20', 'Section headings'],
  ['--text-2xl', 's24', 'Prices and amounts of data'],
  ['--text-h1', 'h1', 'Page headings'],
] as const

export function TypeSection() {
  return (
    <Section
      title="Type"
      note="Pages use the system font, so no font needs to load. Sizes are relative to the text size that the reader has set."
    >
      <dl className={s.type}>
        {sizes.map(([token, look, use]) => (
          <div key={token}>
            <dt>
              <code>{token}</code>
            </dt>
            <dd className={s[look]}>{use}</dd>
          </div>
        ))}
      </dl>
      <p>
        Figures have one width: <b>1,111.10</b> is as long as <b>8,888.80</b>. <a href="#main">A link</a>,{' '}
        <span className="muted">a quieter word</span>, <small>small print</small>.
      </p>
      <p>
        Wharekauri, Ōtautahi, Whakatāne: macrons, and a word as long as
        Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu.
      </p>
    </Section>
  )
}
