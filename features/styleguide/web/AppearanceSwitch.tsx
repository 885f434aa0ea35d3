import { useEffect, useState } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import * as s from './guide.module.css'

const appearanceOptions = {
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
type AppearanceOption = keyof typeof appearanceOptions

export function AppearanceSwitch() {
  const [appearance, setAppearance] = useState<Record<AppearanceOption, string>>({ theme: 'system', text: '100' })

  useEffect(() => {
    const { dataset } = document.documentElement
    Object.assign(dataset, appearance)
    return () => {
      delete dataset['theme']
      delete dataset['text']
    }
  }, [appearance])

  return (
    <Card className={s.look}>
      {Object.entries(appearanceOptions).map(([name, { title, options }]) => (
        <fieldset key={name} className={s.looks}>
          <legend>{title}</legend>
          {options.map(([value, label]) => (
            <label key={value}>
              <input
                type="radio"
                name={name}
                checked={appearance[name as AppearanceOption] === value}
                onChange={() => setAppearance({ ...appearance, [name]: value })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      ))}
    </Card>
  )
}
