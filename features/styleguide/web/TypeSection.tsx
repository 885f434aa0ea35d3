import { Section } from './Section.tsx'
import * as s from './foundations.module.css'

const sizes = [
  ['--text-xs', 's13', 'Under a field, in the head of a table'],
  ['--text-s', 's14', 'Buttons, errors, small print'],
  ['--text-m', 's15', 'Labels, menus, rows'],
  ['1rem', 's16', 'Everything that is read'],
  ['--text-l', 's18', 'The name beside the mark'],
  ['--text-xl', 's20', 'The heading of a section, as above'],
  ['--text-2xl', 's24', 'A price, an amount of data'],
  ['--text-h1', 'h1', 'The heading of a page'],
] as const

export function TypeSection() {
  return (
    <Section
      title="Type"
      note="The system’s own font, so there is none to wait for. Sizes are relative: they follow the size that the reader has set."
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
