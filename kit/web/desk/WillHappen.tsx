import * as s from './WillHappen.module.css'

/** What an act comes to, before it is pressed. */
export function WillHappen({ items }: { items: readonly string[] }) {
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
