import s from './Fan.module.css'

/** The mark: a fantail's tail in five strokes. Its name must stand beside it in words. */
export function Fan({ className = '' }: { className?: string }) {
  return (
    <svg className={`${s.fan} ${className}`} viewBox="0 0 32 32" aria-hidden="true">
      {[-56, -28, 0, 28, 56].map((angle, index) => (
        <path key={angle} className={look[index]} d={index % 4 === 0 ? 'M16 25.5v-12' : 'M16 26V5'} transform={`rotate(${angle} 16 28)`} />
      ))}
    </svg>
  )
}

const look = [s.outer, '', s.sun, '', s.outer]
