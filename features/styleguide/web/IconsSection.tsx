import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import { Logo } from '#kit/web/widgets/Logo.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Section } from './Section.tsx'
import * as s from './foundations.module.css'

const iconUsages: Record<IconName, string> = {
  arrow: 'Go forward',
  back: 'Go back',
  bad: 'Failed',
  card: 'Payment card',
  check: 'Selected or done',
  chevron: 'Expand',
  clock: 'In progress',
  close: 'Close',
  computer: 'Computer',
  eye: 'Show',
  'eye-off': 'Hide',
  good: 'Successful',
  globe: 'Roaming',
  help: 'Help',
  info: 'Information',
  lock: 'Safe',
  mail: 'Email',
  menu: 'Menu',
  more: 'More actions',
  phone: 'Phone',
  plus: 'Add another',
  renew: 'Renews',
  sim: 'SIM',
  user: 'Account',
  warn: 'Warning',
}

export function IconsSection() {
  const { brand } = useBootstrap()
  return (
    <Section
      title="Logo and icons"
      note="All icons have the same stroke width, and the size and colour of the text beside them. The logo belongs to the brand."
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
