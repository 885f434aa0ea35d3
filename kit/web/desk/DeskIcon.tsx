import { Icon, type IconName } from '../widgets/Icon.tsx'
import * as s from '../widgets/Icon.module.css'

const paths = {
  box: 'M12 3 4 7v10l8 4 8-4V7l-8-4ZM4 7l8 4 8-4M12 11v10',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  gift: 'M4 9h16v4H4zM5.5 13v7.5h13V13M12 9v11.5M12 9S7 9 7 6.2s4-2.7 5 2.8c1-5.5 5-5.5 5-2.8S12 9 12 9Z',
  home: 'm4 11 8-7 8 7v9h-5.5v-6h-5v6H4z',
  key: 'M14.5 9.5a4.5 4.5 0 1 0-4.2 4.5L12 15.5h2v2h2v2h3.5v-3L14.2 11c.2-.5.3-1 .3-1.5ZM9 9h.01',
  note: 'M5 4h14v10l-5.5 6H5zM19 14h-5.5v6',
  pause: 'M9 6v12M15 6v12',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM16 16l4.5 4.5',
  shield: 'M12 3 5 5.5v6c0 4.5 3 7.5 7 9.5 4-2 7-5 7-9.5v-6z',
  swap: 'M4 8.5h15M15 4.5l4 4-4 4M20 15.5H5M9 11.5l-4 4 4 4',
  tag: 'M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zM8 8h.01',
} as const

export type DeskIconName = IconName | keyof typeof paths

const isOwn = (name: DeskIconName): name is keyof typeof paths => name in paths

export function DeskIcon({ name, className = '' }: { name: DeskIconName; className?: string }) {
  if (!isOwn(name)) return <Icon name={name} className={className} />
  return (
    <svg className={`${s.icon} ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
