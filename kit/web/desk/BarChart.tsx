import * as s from './BarChart.module.css'

export type Bar = {
  label: string
  /** The bar's values, one per series, from the bottom up. */
  parts: readonly number[]
  before?: number
}

type Props = {
  title: string
  series: readonly string[]
  beforeTitle?: string
  bars: readonly Bar[]
  every?: number
}

const seriesClasses = [s.first, s.second, s.third]

export function BarChart({ title, series, beforeTitle, bars, every = 3 }: Props) {
  const top = roundUpScale(Math.max(...bars.map(({ parts, before = 0 }) => Math.max(sum(parts), before)), 1))
  return (
    <figure className={s.bars}>
      <figcaption className={s.legend}>
        <span className="visually-hidden">{title}: </span>
        {series.map((name, at) => (
          <span key={name} className={`${s.key} ${seriesClasses[at] ?? ''}`}>
            {name}
          </span>
        ))}
        {beforeTitle && <span className={`${s.key} ${s.outline}`}>{beforeTitle}</span>}
      </figcaption>
      <div className={s.drawing} aria-hidden="true">
        {/* Each bar is one unit wide and the chart is 100 units high. The chart stretches to the available space. */}
        <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none">
          {bars.map((bar, at) => (
            <Column key={bar.label} bar={bar} at={at} heightOf={(value) => (value / top) * 100} />
          ))}
        </svg>
        <div className={s.scale}>
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </div>
        <div className={s.labels}>
          {bars.map(({ label }, at) => (
            <span key={label}>{at % every === 0 && <i>{label}</i>}</span>
          ))}
        </div>
      </div>
      <ScreenReaderTable {...{ title, series, beforeTitle, bars }} />
    </figure>
  )
}

type ColumnProps = { bar: Bar; at: number; heightOf: (value: number) => number }

function Column({ bar: { parts, before }, at, heightOf }: ColumnProps) {
  const part = (look: string | undefined, from: number, value: number) => (
    <rect className={look} x={at + 0.1} width={0.8} y={100 - heightOf(from + value)} height={heightOf(value)} />
  )
  return (
    <g>
      {before !== undefined && part(s.before, 0, before)}
      {parts.map((value, index) => (
        <g key={index}>{value > 0 && part(seriesClasses[index], sum(parts.slice(0, index)), value)}</g>
      ))}
    </g>
  )
}

function ScreenReaderTable({ title, series, beforeTitle, bars }: Props) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            {[...series, ...(beforeTitle ? [beforeTitle] : [])].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, parts, before }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map((name, at) => (
                <td key={name}>{parts[at] ?? 0}</td>
              ))}
              {beforeTitle && <td>{before ?? 0}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export function roundUpScale(most: number): number {
  const unit = 10 ** Math.max(Math.floor(Math.log10(most)), 1)
  return [1, 2, 5, 10].map((times) => times * unit).find((figure) => figure >= most) ?? most
}
