import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import { Logo } from '#kit/web/widgets/Logo.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Section } from './Section.tsx'
import * as s from './foundations.module.css'

const iconUsages: Record<IconName, string> = {
  arrow: 'Onwards',
  back: 'The way back',
  bad: 'It failed',
  card: 'The card that pays',
  check: 'Chosen, done',
  chevron: 'Opens',
  clock: 'It takes time',
  close: 'Close',
  computer: 'Computer',
  eye: 'Show',
  'eye-off': 'Hide',
  good: 'It worked',
  globe: 'Roaming',
  help: 'Help',
  info: 'Good to know',
  lock: 'Safe',
  mail: 'Email',
  menu: 'Menu',
  more: 'What else',
  phone: 'Phone',
  plus: 'Another one',
  renew: 'Renews',
  sim: 'SIM',
  user: 'Account',
  warn: 'Take care',
}

export function IconsSection() {
  const { brand } = useBootstrap()
  return (
    <Section
      title="Mark and icons"
      note="Drawings of one stroke width, as large and as dark as the words beside them. The mark is the brand’s."
    >
      <p>
        <Logo brand={brand} />
      </p>
      <ul className={s.icons}>
        {Object.entries(iconUsages).map(([name, use]) => (
          <li key={name}>
            <Icon name={name as IconName} />
            <span>
              {use}
              <br />
              <code className="muted">{name}</code>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
