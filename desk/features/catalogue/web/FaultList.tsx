import { Banner } from '#kit/web/widgets/Banner.tsx'
import * as s from './catalogue.module.css'

export function FaultList({ title, faults }: { title: string; faults: readonly string[] }) {
  return (
    <Banner kind="bad" title={title}>
      <ul className={s.faults} aria-label="Faults">
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </Banner>
  )
}
