import * as s from './ConsequenceList.module.css'

export function ConsequenceList({ items }: { items: readonly string[] }) {
  return (
    <div className={s.box}>
      <h3>What will happen</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
