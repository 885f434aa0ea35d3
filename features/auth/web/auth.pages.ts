import type { PageEntry } from '#kit/web/page.ts'

export const authPages: PageEntry[] = [
  {
    path: '/login/',
    title: 'Welcome Back',
    needs: () => import('./public-only.needs.ts'),
    load: () => import('./login.page.tsx'),
  },
  {
    path: '/forgot-password/',
    title: 'Forgot Password',
    needs: () => import('./public-only.needs.ts'),
    load: () => import('./forgot-password.page.tsx'),
  },
  {
    path: '/password-reset/:uid64/:token',
    title: 'Set a New Password',
    needs: () => import('./password-reset.needs.ts'),
    load: () => import('./password-reset.page.tsx'),
  },
  {
    path: '/verify/',
    title: 'Confirm Your Email Address',
    needs: () => import('./verify.needs.ts'),
    load: () => import('./verify.page.tsx'),
  },
]
