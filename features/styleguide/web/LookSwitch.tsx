import { useEffect, useState } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import * as s from './guide.module.css'

const switches = {
  theme: {
    title: 'Theme',
    options: [
      ['system', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  },
  text: {
    title: 'Text size',
    options: [
      ['100', '100%'],
      ['150', '150%'],
      ['200', '200%'],
    ],
  },
} as const
type Switch = keyof typeof switches

export function LookSwitch() {
  const [look, setLook] = useState<Record<Switch, string>>({ theme: 'system', text: '100' })

  useEffect(() => {
    const { dataset } = document.documentElement
    Object.assign(dataset, look)
    return () => {
      delete dataset['theme']
      delete dataset['text']
    }
  }, [look])

  return (
    <Card className={s.look}>
      {Object.entries(switches).map(([name, { title, options }]) => (
        <fieldset key={name} className={s.looks}>
          <legend>{title}</legend>
          {options.map(([value, label]) => (
            <label key={value}>
              <input
                type="radio"
                name={name}
                checked={look[name as Switch] === value}
                onChange={() => setLook({ ...look, [name]: value })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      ))}
    </Card>
  )
}
