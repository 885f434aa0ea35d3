import type { PageEntry } from '#kit/web/page.ts'

export const authPages: PageEntry[] = [
  {
    path: '/login/',
    title: 'Welcome Back',
    loader: () => import('./public-only.loader.ts'),
    component: () => import('./login.page.tsx'),
  },
  {
    path: '/forgot-password/',
    title: 'Forgot Password',
    loader: () => import('./public-only.loader.ts'),
    component: () => import('./forgot-password.page.tsx'),
  },
  {
    path: '/password-reset/:uid64/:token',
    title: 'Set a New Password',
    loader: () => import('./password-reset.loader.ts'),
    component: () => import('./password-reset.page.tsx'),
  },
  {
    path: '/verify/',
    title: 'Confirm Your Email Address',
    loader: () => import('./verify.loader.ts'),
    component: () => import('./verify.page.tsx'),
  },
]
