var fe,bs,Rc,un,Tr,wl,vs,bl,ys,Dr,Cr,xs,qo=Symbol.for("pv"),kl={},Sl=[],Ac=/^m(i|n|o|s|text|space)$/,Er=Array.isArray,ws=Sl.slice,Pn=Object.assign;function Cn(e){
e&&e.parentNode&&e.remove()}function vl(e,t,n,o,l){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:qo,__v:l||++bs,__i:-1,__u:0};return!l&&fe.vnode&&fe.
vnode(r),r}function pe(e){return e.children}function yl(e,t){this.props=e,this.context=t,this.__g=0}function cn(e,t){if(t==null)return e.__&&cn(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:cn(e)}function Lc(e){var t,n=e.__v,o=n.__e,l=[],r=[],s=e.__P;
s&&((t=Pn({constructor:qo},n)).__v=n.__v+1,fe.vnode&&fe.vnode(t),Mr(s,t,n,e.__n,s.namespaceURI,32&n.__u?[o]:null,l,o||cn(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=
t,Ds(l,t,r),n.__=n.__e=null,t.__e!=o&&ks(t))}function ks(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
ks(e)}function Pr(e){(8&e.__g||(e.__g|=8,un.push(e),wl++))&&Tr==fe.debounceRendering||((Tr=fe.debounceRendering)||queueMicrotask)(Ss)}function Ss(){try{for(var e,
t=1;un.length;)un.length>t&&un.sort(vs),e=un.shift(),t=un.length,8&e.__g&&Lc(e)}finally{(wl=un.length)&&(Tr||queueMicrotask)(Ss)}}function Ts(e,t,n,o,l,r,s,u,d,h,g){
var f,v,_,x,E,D,M=o.__k||Sl,w=t.length;for(d=Oc(n,t,M,d,w),f=0;f<w;f++)(_=n.__k[f])!=null&&(v=~_.__i&&M[_.__i]||kl,_.__i=f,D=Mr(e,_,v,l,r,s,u,d,h,g),x=_.__e,(v.
ref!=_.ref||8&v.__u)&&(v.ref&&Rr(v.ref,null,_,v),_.ref&&g.push(_.ref,_.__c||x,_)),E=E||x,4&_.__u?(d=Cs(_,d,e,!v.__v),v.__e&&(v.__e=null)):typeof _.type=="functi\
on"&&D!==void 0?d=D:x&&(d=x.nextSibling),_.__u&=-21);return n.__e=E,d}function Oc(e,t,n,o,l){var r,s,u,d,h,g,f,v,_,x=n.length,E=x,D=0,M=0,w=e.__k=Array(l);for(r=
0;r<l;r++)(s=t[r])!=null&&typeof s!="boolean"&&typeof s!="function"?(typeof s!="object"||s.constructor===String?s=w[r]=vl(null,s):Er(s)?s=w[r]=vl(pe,{children:s}):
s.constructor===qo&&s.__b?s=w[r]=vl(s.type,s.props,s.key,s.ref,s.__v):w[r]=s,d=r+D,s.__=e,s.__b=e.__b+1,u=null,~(h=s.__i=$c(s,n,d,E))&&(E--,(u=n[h])&&(u.__u|=2)),
u&&u.__v?(s.__u|=16,h==d-1?D--:h==d+1?D++:h!=d&&(h>d?D--:D++,M=1)):(~h||(l>x?D--:l<x&&D++),typeof s.type!="function"&&(s.__u|=4))):w[r]=null;if(M){for(g=[],f=[],
r=0;r<l;r++)if((s=w[r])&&16&s.__u){for(D=0,v=g.length;D<v;)g[_=D+v>>1]<s.__i?D=_+1:v=_;g[D]=s.__i,f[r]=D+1}for(D=g.length;r--;)f[r]&&(f[r]==D?D--:w[r].__u|=4)}if(E)
for(r=0;r<x;r++)!(u=n[r])||2&u.__u||(u.__e==o&&(o=cn(u)),Ar(u,u));return o}function Cs(e,t,n,o){var l,r,s,u;if(typeof e.type=="function"){if(e.props.__P)return t;
if(l=e.__k)for(r=0;r<l.length;r++)l[r]&&(l[r].__=e,t=Cs(l[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=cn(e))&&!t.parentNode&&(t=null),s=e.__e,u=t;u&&u.nodeType==
8;)u=u.nextSibling;for(s!=u&&(!o&&n.moveBefore&&s.parentNode?n.moveBefore(s,t):n.insertBefore(s,t||null)),t=s;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function $c(e,t,n,o){var l,r=e.key,s=e.type,u=t[n],d=u&&!(2&u.__u);if(u===null&&r==null||d&&r==u.key&&s==u.type)return n;if(o>(d?1:0)){for(l=n-1;l>=0;l--)if((u=
t[l])&&!(2&u.__u)&&r==u.key&&s==u.type)return l;for(l=n+1;l<t.length;l++)if((u=t[l])&&!(2&u.__u)&&r==u.key&&s==u.type)return l}return-1}function _s(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function _l(e,t,n,o,l){var r,s;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)n&&t in n||_s(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||_s(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(s=Cr[t]||(Cr[t]=Fc(t)),(e.__a||(e.__a={}))[t]=Dr,r=t!=(t=t.replace(ys,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,s,r):e.removeEventListener(t,s,r));else{if(l=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Fc(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[bl]==null)t[bl]=Dr++;else if(t[bl]<this.__a[e])return;return n(fe.event?fe.event(t):t)}}}function Mr(e,t,n,o,l,r,s,u,d,h){
var g,f,v,_,x,E,D,M,w,R,S,j,F,Y,W,Q,N,P,G=t.type;if(t.constructor!==qo)return null;128&n.__u&&(d=32&n.__u,g=n.__c.__z)&&(t.__u|=d,f=r=[],g.nodeType==8?u=xl(g,r):
r.push(g),u=r[0]||u),(g=fe.__b)&&g(t);e:if(typeof G=="function"){v=s.length;try{if(M=t.props,w=(g=G.prototype)&&g.render,R=(g=G.contextType)&&o[g.__c],S=g?R?R.props.
value:g.__:o,(_=n.__c)?(t.__c=_,2&_.__g&&(_.__g|=1)):(w?t.__c=_=new G(M,S):(t.__c=_=new yl(M,S),_.constructor=G,_.render=qc),R&&R.sub(_),_.state||(_.state={}),_.
__n=o,_.__g|=8,_.__h=[],_.__k=[]),w&&(_.__s||(_.__s=_.state),G.getDerivedStateFromProps&&(_.__s==_.state&&(_.__s=Pn({},_.__s)),Pn(_.__s,G.getDerivedStateFromProps(
M,_.__s)))),x=_.props,E=_.state,_.__v=t,n.__c){if(M!==x&&w&&!G.getDerivedStateFromProps&&_.componentWillReceiveProps&&_.componentWillReceiveProps(M,S),t.__v==n.
__v&&!(8&_.__g)||!(4&_.__g)&&_.shouldComponentUpdate&&_.shouldComponentUpdate(M,_.__s,S)===!1){t.__v!=n.__v&&(_.props=M,_.state=_.__s,_.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(L){L&&(L.__=t)}),Sl.push.apply(_.__h,_.__k),_.__k=[],_.__h.length&&s.push(_),u=cn(n);break e}_.componentWillUpdate&&_.componentWillUpdate(
M,_.__s,S),w&&_.componentDidUpdate&&_.__h.push(function(){_.componentDidUpdate(x,E,D)})}else w&&!G.getDerivedStateFromProps&&_.componentWillMount&&_.componentWillMount(),
w&&_.componentDidMount&&_.__h.push(_.componentDidMount);_.context=S,_.props=M,_.__P=e,_.__g&=-5,j=fe.__r,F=w?25:0;do _.__g&=-9,j&&j(t),g=_.render(_.props,_.state=
_.__s,_.context);while(8&_.__g&&++F<25);w&&(Sl.push.apply(_.__h,_.__k),_.__k=[]),_.state=_.__s,_.getChildContext&&(o=Pn({},o,_.getChildContext())),w&&n.__c&&_.getSnapshotBeforeUpdate&&
(D=_.getSnapshotBeforeUpdate(x,E)),Y=g&&g.type===pe&&g.key==null?g.props.children:g,M.__P&&(g=u,l=(e=M.__P).namespaceURI,d=r=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(L){L&&Ar(L,L)}),n.__k=null),u=n.__k?cn(n,0):null),u=Ts(e,Er(Y)?Y:[Y],t,n,o,l,r,s,u,d,h),M.__P&&(t.__e=null,u=g),t.__u&=-161,f&&f.some(Cn),_.__h.length&&
s.push(_),1&_.__g&&(_.__g&=-4)}catch(L){if(s.length=v,t.__v=null,d||r)if(L&&L.then){if(t.__u|=128|d,r){for(~(N=r.indexOf(u||void 0))||(N=r.length);(P=r[N-1])&&P.
nodeType==8;)N--;for(;N<r.length;N++)if(P=r[N])if(r[N]=null,W){if(P==Q)break}else{if(P.nodeType!=8)break;P.data.startsWith("$s")&&(Q=xl(W=P))}}if(!W){for(;u&&u.
nodeType==8&&u.nextSibling;)u=u.nextSibling;W=u}(g=xl(W=t.__c.__z||(t.__c.__z=W)))?(t.__e=W,u=g):t.__e=u,u=u&&u.nextSibling}else r&&r.some(Cn);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),L&&L.then||Ps(t),fe.__e(L,t,n)}}else u=t.__e=zc(n.__e,t,n,o,l,r,s,d,h,e);return(g=fe.diffed)&&g(t),u}function xl(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Ps(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ps))}function Ds(e,t,n){for(var o=0;o<n.length;)Rr(n[o++],n[o++],n[o++]);fe.__c&&fe.__c(t,e),e.some(
function(l){try{e=l.__h,l.__h=[],e.some(function(r){r.call(l)})}catch(r){fe.__e(r,l.__v)}})}function zc(e,t,n,o,l,r,s,u,d,h){var g,f,v,_,x,E,D,M,w=n.props||kl,R=t.
props,S=t.type;if(S=="svg"?l="http://www.w3.org/2000/svg":S=="math"?l="http://www.w3.org/1998/Math/MathML":l||(l="http://www.w3.org/1999/xhtml"),r){for(g=0;g<r.
length;g++)if((x=r[g])&&(S?x.localName==S:x.nodeType==3)){e=x,r[g]=null;break}}if(!e){if(M=h.ownerDocument||document,!S)return M.createTextNode(R);e=M.createElementNS(
l,S,R.is?R:h),u&&(fe.__m&&fe.__m(t,r),u=!1),r=null}if(S){if(h=S=="template"&&e.content||e,r=S=="textarea"&&R.defaultValue!=null?null:r&&ws.call(h.childNodes),!u&&
r)for(w={},g=0;g<e.attributes.length;g++)w[(x=e.attributes[g]).name]=x.value;for(g in w)x=w[g],g=="dangerouslySetInnerHTML"?v=x:g=="children"||g in R||g=="value"&&
"defaultValue"in R||g=="checked"&&"defaultChecked"in R||_l(e,g,null,x,l);for(g in R)x=R[g],g=="children"?_=x:g=="dangerouslySetInnerHTML"?f=x:g=="value"?E=x:g==
"checked"?D=x:u&&typeof x!="function"||w[g]===x||_l(e,g,x,w[g],l);f?(u||v&&(f.__html==v.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(v&&(e.
textContent=""),(S=="foreignObject"||l=="http://www.w3.org/1998/Math/MathML"&&Ac.test(S))&&(l="http://www.w3.org/1999/xhtml"),Ts(h,Er(_)?_:[_],t,n,o,l,r,s,r?r[0]:
n.__k&&cn(n,0),u,d),r&&r.some(Cn)),u&&S!="textarea"||(g="value",S=="progress"&&E==null?e.removeAttribute(g):E==null||E===e[g]&&(S!="progress"||E)||_l(e,g,E,w[g],
l),g="checked",D!=null&&D!=e[g]&&_l(e,g,D,w[g],l))}else w===R||u&&e.data==R||(e.data=R);return e}function Rr(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&
(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(l){fe.__e(l,n)}}function Ar(e,t,n){var o,l,r,s;if(fe.unmount&&fe.unmount(
e),!(o=e.ref)||o.current&&o.current!=e.__e||Rr(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(u){fe.__e(u,t)}o.__P=o.__n=null}
if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&Ar(o[s],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(l=xl(o,r=[]))&&(o==e.__e&&r.some(Cn),Cn(
l),Cn(o)),n||Cn(e.__e),e.__e=e.__c=e.__=null}function qc(e,t,n){return this.constructor(e,n)}function Es(e,t){var n,o,l,r;fe.__&&fe.__(e,t),t.nodeType==9&&(t=t.
documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=vl(pe,{children:[e]}),l=[],r=[],Mr(t,t.__k,o||kl,kl,t.namespaceURI,o?null:t.firstChild?ws.call(t.childNodes):
null,l,o?o.__e:t.firstChild,n,r),Ds(l,t.__k,r),t.__k.props.children=null}function Ms(e){function t(n){var o,l;return this.getChildContext||(o=new Set,(l={})[t.__c]=this,this.getChildContext=function(){return l},this.shouldComponentUpdate=
function(r){this.props.value!=r.value&&o.forEach(function(s){s.__g|=4,Pr(s)})},this.sub=function(r){o.add(r);var s=r.componentWillUnmount;r.componentWillUnmount=
function(){o.delete(r),s&&s.call(r)}}),n.children}return t.__c="__cC"+xs++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}fe={__e:function(e,t,n,o){for(var l,r,s;t=t.__;)if((l=t.__c)&&!(1&l.__g)){l.__g|=4;try{if((s=(r=l.constructor)&&r.getDerivedStateFromError)&&l.setState(r.getDerivedStateFromError(
e)),l.componentDidCatch&&(l.componentDidCatch(e,o||{}),s=1),s&&8&l.__g)return void(l.__g|=2)}catch(u){e=u}}throw wl=0,e}},bs=0,Rc=function(e){return e!=null&&e.
constructor===qo},yl.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Pn({},this.state)),typeof e=="function"&&(e=e(Pn({},n),this.props)),
e&&(Pn(n,e),this.__v&&(t&&this.__k.push(t),Pr(this)))},yl.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Pr(this))},yl.prototype.render=
pe,un=[],wl=0,vs=function(e,t){return e.__v.__b-t.__v.__b},bl=Symbol(),ys=/(PointerCapture)$|Capture$/i,Dr=0,Cr={},xs=0;var Dn,Re,Lr,Rs,Or=Object.is,Ho=0,Hs=[],$r=[],Oe=fe,As=Oe.__b,Ls=Oe.__r,Os=Oe.diffed,$s=Oe.__c,Fs=Oe.unmount,zs=Oe.__;function Io(e,t){Oe.__h&&Oe.__h(Re,e,Ho||t),
Ho=0;var n=Re.__H||(Re.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function J(e){return Ho=1,Uc(Ws,e)}function Uc(e,t,n){var o=Io(Dn++,2);if(o.
t=e,!o.__c&&(o.__=[n?n(t):Ws(void 0,t),function(r){var s=(o.__N||o.__)[0],u=o.t(s,r);Or(s,u)||(o.__N=[u,o.__[1]],o.__c.setState({}))}],o.__c=Re,!Re.__f)){Re.__f=
!0;var l=Re.shouldComponentUpdate;Re.shouldComponentUpdate=function(r,s,u){var d=this.__H;if(!d)return!0;var h=!1,g=this.props!=r;if(d.__.some(function(v){v.__N&&
(h=!0,Or(v.__[0],v.__N[0])||(g=!0))}),l){var f=l.call(this,r,s,u);return h?f||g:f}return!h||g}}return o.__}function Te(e,t){var n=Io(Dn++,3);!Oe.__s&&Ns(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Re.__H.__h.push(n))}function At(e){return Ho=5,Tl(function(){return{current:e}},[])}function Tl(e,t){var n=Io(Dn++,7);return Ns(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function so(e,t){return Ho=8,Tl(function(){return e},t)}function Is(e){var t=Re.context[e.
__c],n=Io(Dn++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Re)),t.props.value):e.__}function zr(){var e=Io(Dn++,11);if(!e.__){for(var t=Re.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Hc(){var e;
do{for(;e=$r.shift();)try{Uo(e)}catch(n){Oe.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Hs.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Uo),t.__h.some(Fr),t.__h=[]}catch(n){
t.__h=[],Oe.__e(n,e.__v)}}}while($r.length)}Oe.__b=function(e){Re=null,As&&As(e)},Oe.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),zs&&zs(e,t)},Oe.__r=
function(e){Ls&&Ls(e),Dn=0;var t=(Re=e.__c).__H;t&&(Lr==Re?Re.__h=[]:(t.__h.some(Uo),t.__h.some(Fr),Dn=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Lr=Re},Oe.diffed=function(e){Os&&Os(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Us(Hs.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Lr=
Re=null},Oe.__c=function(e,t){t.some(function(n){try{n.__h.some(Uo),n.__h=n.__h.filter(function(o){return!o.__||Fr(o)})}catch(o){n.__h=[function(){throw o}]}}),
$s&&$s(e,t)},Oe.unmount=function(e){Fs&&Fs(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(l){try{if(l.__P&&l.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}l.__P=n,Us($r.push(l))}else Uo(l)}catch(r){t=r}}),o.__H=void 0,t&&Oe.__e(t,o.__v))};var qs=typeof requestAnimationFrame=="function";
function Ic(e){var t,n=function(){clearTimeout(o),qs&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);qs&&(t=requestAnimationFrame(n))}function Us(e){
e!=1&&Rs==Oe.requestAnimationFrame||((Rs=Oe.requestAnimationFrame)||Ic)(Hc)}function Uo(e){var t=Re,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Re=t}function Fr(e){
var t=Re;e.__c=e.__(),Re=t}function Ns(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Or(n,e[o])})}function Ws(e,t){return typeof t=="function"?
t(e):t}var En=class extends Error{constructor(n,o,l,r=null){super(l);this.status=n;this.code=o;this.param=r}status;code;param},Cl=new EventTarget;async function Pl(e,t={},n){
let[o="GET"]=e.split(" ");return await Mn(o,ao(e,t),t.body,n)}function ao(e,t={},n={}){let l=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(u,d)=>encodeURIComponent(
t.path?.[d]??"")),r=new URLSearchParams;for(let[u,d]of Object.entries({...t.query,...n}))d!==void 0&&d!==""&&r.set(u,String(d));let s=r.toString();return s===""?
l:l+"?"+s}function Gs(e,t={}){return ao(e,t,{format:"csv"})}async function Mn(e,t,n,o){let l={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};o&&(l.signal=o),n!==void 0&&(l.body=JSON.stringify(n),l.headers={accept:"application/json","content-type":"application/json"});let r=await fetch(t,l).catch(
s=>{throw s instanceof DOMException&&s.name==="AbortError"?s:new En(0,"unreachable","Weir does not answer at this address.")});if(r.ok)return r.status===204?void 0:
r.json();throw await Nc(r)}async function Nc(e){e.status===401&&Cl.dispatchEvent(new Event("ended"));let t=await e.json().catch(()=>null),n=Wc(t)?t.error:null;return new En(
e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}function Wc(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="\
object"&&e.error!==null&&"message"in e.error}var Gc=150,Vc=6e4,qr=new EventTarget;function Vs(){qr.dispatchEvent(new Event("refresh"))}function Ae(e,t){let n=t===null?"":JSON.stringify([e,t]),[o,l]=J(null),
[r,s]=J(null),[u,d]=J(!1),[h,g]=J(null),f=At(""),v=At(null),_=so(()=>{if(v.current?.abort(),n==="")return;let{signal:x}=v.current=new AbortController,E=setTimeout(
()=>d(!0),Gc),[,D]=JSON.parse(n);Pl(e,D,x).then(M=>{f.current=n,l(M),s(null),g(new Date)}).catch(M=>{x.aborted||(f.current!==n&&l(null),s(Rn(M)))}).finally(()=>{
clearTimeout(E),x.aborted||d(!1)})},[n]);return Te(()=>{_();let x=setInterval(()=>document.hidden||_(),Vc);return qr.addEventListener("refresh",_),()=>{v.current?.
abort(),clearInterval(x),qr.removeEventListener("refresh",_)}},[_]),{data:o,error:r,loading:u,at:h,reload:_}}function Rn(e){return e instanceof En?e:new En(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Ur="/admin/v1/session",Hr=Ms(null);function ue(){let e=Is(Hr);if(!e)throw new Error("no session");return e}async function Ir(){return await Mn("GET",Ur)}async function Ks(e){return await Mn("POST",Ur,{token:e})}async function Bs(){await Mn("DELETE",Ur)}var Kc=1000000000n;function kt(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let o=n<
0n?"−":"",l=n<0n?-n:n,r=l===0n?t:Math.max(t,Bc(l)),s=10n**BigInt(9-r),u=(l+s/2n)/s,d=10n**BigInt(r),h=r===0?"":"."+(u%d).toString().padStart(r,"0");return`${o}\
$${js(u/d)}${h}`}function Bc(e){return e>=Kc/100n?0:Math.min(9,9-e.toString().length+2)}function it(e){if(Math.round(e)===0)return"$0.00";let t=kt(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function Dl(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+An(t):kt(e,t!==0&&Math.abs(t)<10?2:0)}
function js(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function Ce(e){return js(BigInt(Math.round(e))).replace("-","−")}function An(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let o=e/(n==="k"?1e3:t);return`${Ys(o)} ${n}`}return Ce(e)}function Ys(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function Ln(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function No(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${Ys(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function st(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function Zs(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function St(e,t,n=t+"s"){return`${Ce(e)} ${e===1?t:n}`}var Qs=new Map;function Wo(e,t,n){let o=e+t,l=Qs.get(o);return l||Qs.set(o,l=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),l}function Wr(e,t){
return Wo(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function fn(e,t){return Wo(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function El(e,t){return Wo(t,"day",{day:"numeric",month:"short"}).format(e)}function Xs(e,t){return`${El(e,t)} ${Wr(e,t)}`}function uo(e,t){return Wo(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function ea(e,t=new Date){return`${e.toISOString()}, ${jc(
t.getTime()-e.getTime())} ago`}function jc(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],o=n.findIndex(([l])=>t>=l);return o<
0?"0 s":n.slice(o,o+2).map(([l,r],s)=>[Math.floor((s===0?t:t%(n[o]?.[0]??1))/l),r]).filter(([l])=>l>0).map(([l,r])=>`${l} ${r}`).join(" ")}function Nr(e,t){let n=Object.
fromEntries(Wo(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(l=>[l.type,Number(
l.value)]));return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function pn(e,t){let n=Date.parse(e.length===10?e+"T0\
0:00Z":e+"Z"),o=n-Nr(n,t);return new Date(n-Nr(o,t))}function On(e,t){return new Date(e.getTime()+Nr(e.getTime(),t)).toISOString().slice(0,16)}function Jt(e){return{
since:e.get("since")??"7d",until:e.get("until")??""}}function Go(e,t=new Date){let n=On(t,e).slice(0,10),o=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",
until:""},{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 day\
s",since:"90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:o,until:""},{label:"Last month",since:Yc(o),until:o}]}function Yc(e){let t=new Date(
e+"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var Zc={m:6e4,h:36e5,d:864e5,w:7*864e5};function Vo(e,t,n=new Date){return{from:Js(
e.since,t,n),to:e.until===""?n:Js(e.until,t,n)}}function Js(e,t,n){let o=/^(\d+)([mhdw])$/.exec(e);return o?new Date(n.getTime()-Number(o[1])*(Zc[o[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?pn(e,t):new Date(e)}function Ml(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:o,to:l}=Vo(e,t,n);return{since:new Date(
2*o.getTime()-l.getTime()).toISOString(),until:o.toISOString()}}function Ko(e,t){let{from:n,to:o}=Vo(e,t),l=(o.getTime()-n.getTime())/864e5;return l<=8?"hour":l<=
400?"day":"month"}function co(e,t){let n=Go(t).find(r=>r.since===e.since&&r.until===e.until);if(n)return n.label;let{from:o,to:l}=Vo(e,t);return`${uo(o,t)} – ${e.
until===""?"now":uo(l,t)}`}var fo="other",Gr=new Map;function ta(e){let t=new Set;for(let n of e){let o=Gr.get(n);o!==void 0&&t.add(o)}return e.map(n=>Qc(n,t))}function Qc(e,t){if(e===fo)
return 8;let n=Gr.get(e);if(n!==void 0)return n;let o=Jc(e)%7;for(let l=0;l<7&&t.has(o+1);l++)o=(o+1)%7;return t.add(o+1),Gr.set(e,o+1),o+1}function Jc(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function po(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var Xc=7;function ef(e,t){return e.hour!==void 0?new Date(e.hour):pn(e.day??(e.month??"1970-01")+"-01",t)}function Bo(e,t,n,o){let l=[];for(let r=tf(e,n,o);r<t&&
l.length<5e3;r=nf(r,n,o))l.push(r);return l}function tf(e,t,n){if(t==="hour")return e;let o=On(e,n).slice(0,10);return pn(t==="day"?o:o.slice(0,8)+"01",n)}function nf(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[o=0,l=1,r=1]=On(e,n).slice(0,10).split("-").map(Number),s=t==="day"?new Date(Date.UTC(o,l-1,r+1)):new Date(Date.
UTC(o,l,1));return pn(s.toISOString().slice(0,10),n)}function $n(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Rl({rows:e,xs:t,zone:n,
group:o,value:l}){let r=new Map;for(let h of e)r.set(o(h),(r.get(o(h))??0)+l(h));let s=[...r].filter(([h,g])=>g>0&&h!==fo).toSorted((h,g)=>g[1]-h[1]).slice(0,Xc).
map(([h])=>h),u=new Map(s.map(h=>[h,{name:h,values:t.map(()=>0)}])),d=new Map(t.map((h,g)=>[h.getTime(),g]));for(let h of e){let g=u.has(o(h))?o(h):fo;if(l(h)===
0)continue;let f=u.get(g);f||u.set(g,f={name:g,values:t.map(()=>0)});let v=d.get(ef(h,n).getTime());v!==void 0&&(f.values[v]=(f.values[v]??0)+l(h))}return[...u.
values()]}function na(e,t,n){let o=new Map(e.map(l=>[new Date(l.at??0).getTime(),l[n]]));return[["p50",1],["p95",6],["p99",8]].map(([l,r])=>({name:l,slot:r,values:t.
map(s=>o.get(s.getTime())?.[`${l}_us`]??null)}))}var of=["since","until","team"],Vr=new Set;function jo(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function dt(){let[e,t]=J(jo);
return Te(()=>{let n=()=>t(jo());return Vr.add(n),addEventListener("popstate",n),()=>{Vr.delete(n),removeEventListener("popstate",n)}},[]),e}function Al(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Vr.forEach(o=>o())}function Pe(e,t=!1){
let{path:n,params:o}=jo();Al(n+Br(Kr(o,e)),t)}function oa(e){let{path:t,params:n}=jo();return t+Br(Kr(n,e))}function Ye(e,t={}){let n=new URLSearchParams;for(let o of of){
let l=jo().params.get(o);l!==null&&n.set(o,l)}return e+Br(Kr(n,t))}function Kr(e,t){for(let[n,o]of Object.entries(t))o===null||o===""?e.delete(n):e.set(n,o);return e}
function Br(e){let t=e.toString();return t===""?"":"?"+t}function la(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e.includes(n.pathname)&&(t.preventDefault(),Al(n.pathname+n.search))})}var lf=Symbol.for("pv"),rf=0;function a(e,t,n,o,l,r){t||(t={});var s,u,d=t;if("ref"in d&&typeof e!="function")for(u in d={},t)u=="ref"?s=t[u]:d[u]=t[u];var h={type:e,props:d,key:n,ref:s,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:lf,__v:--rf,__i:-1,__u:0};return(l||r)&&(h.__source=l,h.__self=r),fe.vnode&&fe.vnode(h),h}function mo({text:e,label:t="Copy"}){let[n,o]=J("");return Te(()=>{let r=setTimeout(()=>o(""),1500);return()=>clearTimeout(r)},[n]),a("button",{type:"button",class:"\
quiet",onClick:()=>{navigator.clipboard.writeText(e).then(()=>o("Copied"),()=>o("Not allowed"))},children:[n||t,a("span",{class:"unseen",role:"status",children:n})]})}
function Lt({route:e,asked:t,command:n,list:o}){return a(pe,{children:[n&&a(mo,{text:n,label:"Copy command"}),a(mo,{text:sf(e,t),label:"Copy curl"}),o&&a("a",{class:"\
button quiet",href:Gs(e,t),download:"",children:"CSV"})]})}function sf(e,t){return`curl -s ${Xt(location.origin+ao(e,t))} -H "Authorization: Bearer $(cat weir-d\
ata/admin.token)"`}function Xt(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function dn({label:e,hint:t,wrong:n,value:o,onInput:l,list:r,type:s="text",...u}){let d=zr(),h={type:s,list:r&&d+"-list","aria-invalid":n?!0:void 0,"aria-descri\
bedby":t||n?d+"-about":void 0,...u};return a("div",{class:"field",children:[a("label",{for:d,children:e}),a("input",{id:d,value:o,onInput:g=>l(g.currentTarget.value),
autocomplete:"off",spellcheck:!1,...h}),r&&a("datalist",{id:d+"-list",children:r.map(g=>a("option",{value:g},g))}),a(ra,{id:d,hint:t,wrong:n})]})}function Kt({label:e,
hint:t,wrong:n,value:o,options:l,onChange:r,bare:s}){let u=zr();return a("div",{class:"field",children:[a("label",{for:u,class:s?"unseen":void 0,children:e}),a(
"select",{id:u,value:o,onChange:d=>r(d.currentTarget.value),children:l.map(d=>a("option",{value:d.value,selected:d.value===o,children:d.label},d.value))}),a(ra,
{id:u,hint:t,wrong:n})]})}function ra({id:e,hint:t,wrong:n}){return!t&&!n?null:a("span",{id:e+"-about",class:n?"wrong":"muted small",children:n??t})}function jr({
label:e,checked:t,onChange:n}){return a("label",{class:"check",children:[a("input",{type:"checkbox",checked:t,onChange:o=>n(o.currentTarget.checked)}),e]})}function ho({
label:e,value:t,options:n,onChange:o}){return a("div",{class:"segments",role:"group","aria-label":e,children:n.map(l=>a("button",{type:"button","aria-pressed":l.
value===t,onClick:()=>o(l.value),children:l.label},l.value))})}var Yr="custom";function ia(){let{zone:e}=ue(),t=Jt(dt().params),[n,o]=J(!1),l=Go(e).find(u=>u.since===t.since&&u.until===t.until),r=Go(e).map(u=>({value:u.label,
label:u.label}));l||r.push({value:"",label:co(t,e)}),r.push({value:Yr,label:"From … to …"});let s=u=>{let d=Go(e).find(h=>h.label===u);o(u===Yr),d&&Pe({since:d.
since,until:d.until})};return a(pe,{children:[a(Kt,{bare:!0,label:"Period",value:n?Yr:l?.label??"",options:r,onChange:s}),n&&a(af,{onDone:()=>o(!1)})]})}function af({
onDone:e}){let{zone:t}=ue(),{from:n,to:o}=Vo(Jt(dt().params),t),[l,r]=J(On(n,t)),[s,u]=J(On(o,t)),d=s<=l?"It ends before it begins.":null;return a("form",{class:"\
filters",onSubmit:g=>{g.preventDefault(),!d&&(Pe({since:pn(l,t).toISOString(),until:pn(s,t).toISOString()}),e())},children:[a(dn,{label:`From, ${t}`,type:"datet\
ime-local",value:l,onInput:r,required:!0}),a(dn,{label:"To",type:"datetime-local",value:s,onInput:u,required:!0,wrong:d}),a("button",{class:"primary",disabled:d!==
null,children:"Show"})]})}function sa(){let e=dt().params.get("team")??"",n=(Ae("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(o=>({value:o.name,
label:o.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(o=>o.value===e)&&n.push({value:e,label:e}),a(Kt,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:o=>Pe({team:o})}))}function go({title:e,period:t,team:n,of:o,tools:l,children:r}){return Te(()=>{document.title=`${e} · Weir`},[e]),a(pe,{children:[a("div",{class:"head",children:[
a("h1",{children:e}),a("div",{class:"tools",children:[l,n&&a(sa,{}),t&&a(ia,{}),o&&a(uf,{of:o})]})]}),r]})}function uf({of:e}){let{zone:t}=ue();return a("button",
{class:"quiet",title:"Fetch it again",onClick:Vs,children:e.at?`as of ${Wr(e.at,t)}`:"…"})}var Zr="weir-scheme",aa=["light","dark","system"];function Ll(){try{let e=localStorage.getItem(Zr);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function ua(e){try{e==="system"?localStorage.removeItem(Zr):localStorage.setItem(Zr,e)}catch{}Yo(e)}function Yo(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,Zo.dispatchEvent(new Event("scheme"))}var Zo=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>Zo.dispatchEvent(new Event("scheme")));var cf="uplot",ff="u-hz",pf="u-vt",df="u-title",mf="u-wrap",hf="u-under",gf="u-over",_f="u-axis",qn="u-off",bf="u-select",vf="u-cursor-x",yf="u-cursor-y",xf="u-\
cursor-pt",wf="u-legend",kf="u-live",Sf="u-inline",Tf="u-series",Cf="u-marker",ca="u-label",Pf="u-value",Jo="width",Xo="height";var fa="bottom",_o="left",Qr="right",mi="#000",pa=mi+"0",Jr="mousemove",da="mousedown",Xr="mouseup",ma="mouseenter",ha="mouseleave",ga="dblclick",Df="resize",Ef="\
scroll",_a="change",ql="dppxchange",hi="--",So=typeof window<"u",li=So?document:null,vo=So?window:null,Mf=So?navigator:null,se,Ol;function ri(){let e=devicePixelRatio;
se!=e&&(se=e,Ol&&si(_a,Ol,ri),Ol=matchMedia(`(min-resolution: ${se-.001}dppx) and (max-resolution: ${se+.001}dppx)`),Un(_a,Ol,ri),vo.dispatchEvent(new CustomEvent(
ql)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function ii(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function xe(e,t,n){
e.style[t]=n+"px"}function Ot(e,t,n,o){let l=li.createElement(e);return t!=null&&mt(l,t),n?.insertBefore(l,o),l}function Tt(e,t){return Ot("div",e,t)}var ba=new WeakMap;
function Bt(e,t,n,o,l){let r="translate("+t+"px,"+n+"px)",s=ba.get(e);r!=s&&(e.style.transform=r,ba.set(e,r),t<0||n<0||t>o||n>l?mt(e,qn):ii(e,qn))}var va=new WeakMap;
function ya(e,t,n){let o=t+n,l=va.get(e);o!=l&&(va.set(e,o),e.style.background=t,e.style.borderColor=n)}var xa=new WeakMap;function wa(e,t,n,o){let l=t+""+n,r=xa.
get(e);l!=r&&(xa.set(e,l),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var gi={passive:!0},Rf={...gi,
capture:!0};function Un(e,t,n,o){t.addEventListener(e,n,o?Rf:gi)}function si(e,t,n,o){t.removeEventListener(e,n,gi)}So&&ri();function $t(e,t,n,o){let l;n=n||0,o=
o||t.length-1;let r=o<=2147483647;for(;o-n>1;)l=r?n+o>>1:ht((n+o)/2),t[l]<e?n=l:o=l;return e-t[n]<=t[o]-e?n:o}function Za(e){return(n,o,l)=>{let r=-1,s=-1;for(let u=o;u<=
l;u++)if(e(n[u])){r=u;break}for(let u=l;u>=o;u--)if(e(n[u])){s=u;break}return[r,s]}}var Qa=e=>e!=null,Ja=e=>e!=null&&e>0,Il=Za(Qa),Af=Za(Ja);function Lf(e,t,n,o=0,l=!1){
let r=l?Af:Il,s=l?Ja:Qa;[t,n]=r(e,t,n);let u=e[t],d=e[t];if(t>-1)if(o==1)u=e[t],d=e[n];else if(o==-1)u=e[n],d=e[t];else for(let h=t;h<=n;h++){let g=e[h];s(g)&&(g<
u?u=g:g>d&&(d=g))}return[u??he,d??-he]}function Nl(e,t,n,o){let l=Ta(e),r=Ta(t);e==t&&(l==-1?(e*=n,t/=n):(e/=n,t*=n));let s=n==10?en:Xa,u=l==1?ht:Ct,d=r==1?Ct:ht,
h=u(s(Ue(e))),g=d(s(Ue(t))),f=yo(n,h),v=yo(n,g);return n==10&&(h<0&&(f=ge(f,-h)),g<0&&(v=ge(v,-g))),o||n==2?(e=f*l,t=v*r):(e=ou(e,f),t=Wl(t,v)),[e,t]}function _i(e,t,n,o){
let l=Nl(e,t,n,o);return e==0&&(l[0]=0),t==0&&(l[1]=0),l}var bi=.1,ka={mode:3,pad:bi},tl={pad:0,soft:null,mode:0},Of={min:tl,max:tl};function Ul(e,t,n,o){return Gl(
n)?Sa(e,t,n):(tl.pad=n,tl.soft=o?0:null,tl.mode=o?3:0,Sa(e,t,Of))}function re(e,t){return e??t}function $f(e,t,n){for(t=re(t,0),n=re(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function Sa(e,t,n){let o=n.min,l=n.max,r=re(o.pad,0),s=re(l.pad,0),u=re(o.hard,-he),d=re(l.hard,he),h=re(o.soft,he),g=re(l.soft,-he),
f=re(o.mode,0),v=re(l.mode,0),_=t-e,x=en(_),E=nt(Ue(e),Ue(t)),D=en(E),M=Ue(D-x);(_<1e-24||M>10)&&(_=0,(e==0||t==0)&&(_=1e-24,f==2&&h!=he&&(r=0),v==2&&g!=-he&&(s=
0)));let w=_||E||1e3,R=en(w),S=yo(10,ht(R)),j=w*(_==0?e==0?.1:1:r),F=ge(ou(e-j,S/10),24),Y=e>=h&&(f==1||f==3&&F<=h||f==2&&F>=h)?h:he,W=nt(u,F<Y&&e>=Y?Y:Ft(Y,F)),
Q=w*(_==0?t==0?.1:1:s),N=ge(Wl(t+Q,S/10),24),P=t<=g&&(v==1||v==3&&N>=g||v==2&&N<=g)?g:-he,G=Ft(d,N>P&&t<=P?P:nt(P,N));return W==G&&W==0&&(G=100),[W,G]}var Ff=new Intl.
NumberFormat(So?Mf.language:"en-US"),vi=e=>Ff.format(e),gt=Math,zl=gt.PI,Ue=gt.abs,ht=gt.floor,qe=gt.round,Ct=gt.ceil,Ft=gt.min,nt=gt.max,yo=gt.pow,Ta=gt.sign,en=gt.
log10,Xa=gt.log2,zf=(e,t=1)=>gt.sinh(e)*t,ei=(e,t=1)=>gt.asinh(e/t),he=1/0;function Ca(e){return(en((e^e>>31)-(e>>31))|0)+1}function ai(e,t,n){return Ft(nt(e,t),
n)}function eu(e){return typeof e=="function"}function te(e){return eu(e)?e:()=>e}var qf=()=>{},tu=e=>e,nu=(e,t)=>t,Uf=e=>null,Pa=e=>!0,Da=(e,t)=>e==t,Hf=/\.\d*?(?=9{6,}|0{6,})/gm,
Hn=e=>{if(ru(e)||hn.has(e))return e;let t=`${e}`,n=t.match(Hf);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[l,r]=t.split("e");return+`${Hn(
l)}e${r}`}return ge(e,o)};function Fn(e,t){return Hn(ge(Hn(e/t))*t)}function Wl(e,t){return Hn(Ct(Hn(e/t))*t)}function ou(e,t){return Hn(ht(Hn(e/t))*t)}function ge(e,t=0){
if(ru(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return qe(o)/n}var hn=new Map;function lu(e){return((""+e).split(".")[1]||"").length}function ol(e,t,n,o){
let l=[],r=o.map(lu);for(let s=t;s<n;s++){let u=Ue(s),d=ge(yo(e,s),u);for(let h=0;h<o.length;h++){let g=e==10?+`${o[h]}e${s}`:o[h]*d,f=(s>=0?0:u)+(s>=r[h]?0:r[h]),
v=e==10?g:ge(g,f);l.push(v),hn.set(v,f)}}return l}var nl={},yi=[],xo=[null,null],mn=Array.isArray,ru=Number.isInteger,If=e=>e===void 0;function Ea(e){return typeof e==
"string"}function Gl(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Nf(e){return e!=null&&typeof e=="object"}var Wf=Object.getPrototypeOf(
Uint8Array),iu="__proto__";function wo(e,t=Gl){let n;if(mn(e)){let o=e.find(l=>l!=null);if(mn(o)||t(o)){n=Array(e.length);for(let l=0;l<e.length;l++)n[l]=wo(e[l],
t)}else n=e.slice()}else if(e instanceof Wf)n=e.slice();else if(t(e)){n={};for(let o in e)o!=iu&&(n[o]=wo(e[o],t))}else n=e;return n}function $e(e){let t=arguments;
for(let n=1;n<t.length;n++){let o=t[n];for(let l in o)l!=iu&&(Gl(e[l])?$e(e[l],wo(o[l])):e[l]=wo(o[l]))}return e}var Gf=0,Vf=1,Kf=2;function Bf(e,t,n){for(let o=0,
l,r=-1;o<t.length;o++){let s=t[o];if(s>r){for(l=s-1;l>=0&&e[l]==null;)e[l--]=null;for(l=s+1;l<n&&e[l]==null;)e[r=l++]=null}}}function jf(e,t){if(Qf(e)){let s=e[0].
slice();for(let u=1;u<e.length;u++)s.push(...e[u].slice(1));return Jf(s[0])||(s=Zf(s)),s}let n=new Set;for(let s=0;s<e.length;s++){let d=e[s][0],h=d.length;for(let g=0;g<
h;g++)n.add(d[g])}let o=[Array.from(n).sort((s,u)=>s-u)],l=o[0].length,r=new Map;for(let s=0;s<l;s++)r.set(o[0][s],s);for(let s=0;s<e.length;s++){let u=e[s],d=u[0];
for(let h=1;h<u.length;h++){let g=u[h],f=Array(l).fill(void 0),v=t?t[s][h]:Vf,_=[];for(let x=0;x<g.length;x++){let E=g[x],D=r.get(d[x]);E===null?v!=Gf&&(f[D]=E,
v==Kf&&_.push(D)):f[D]=E}Bf(f,_,l),o.push(f)}}return o}var Yf=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Zf(e){let t=e[0],n=t.
length,o=Array(n);for(let r=0;r<o.length;r++)o[r]=r;o.sort((r,s)=>t[r]-t[s]);let l=[];for(let r=0;r<e.length;r++){let s=e[r],u=Array(n);for(let d=0;d<n;d++)u[d]=
s[o[d]];l.push(u)}return l}function Qf(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let l=e[o][0];if(l.length!=n)return!1;if(l!=t){for(let r=0;r<n;r++)
if(l[r]!=t[r])return!1}}return!0}function Jf(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,l=n-1;for(;o<=l&&e[o]==null;)o++;for(;l>=o&&e[l]==null;)l--;if(l<=
o)return!0;let r=nt(1,ht((l-o+1)/t));for(let s=e[o],u=o+r;u<=l;u+=r){let d=e[u];if(d!=null){if(d<=s)return!1;s=d}}return!0}var su=["January","February","March",
"April","May","June","July","August","September","October","November","December"],au=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function uu(e){
return e.slice(0,3)}var Xf=au.map(uu),ep=su.map(uu),tp={MMMM:su,MMM:ep,WWWW:au,WWW:Xf};function Qo(e){return(e<10?"0":"")+e}function np(e){return(e<10?"00":e<100?
"0":"")+e}var op={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Qo(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>Qo(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Qo(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Qo(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>Qo(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>np(e.getMilliseconds())};function xi(e,t){t=t||tp;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,
l;for(;l=o.exec(e);)n.push(l[0][0]=="{"?op[l[1]]:l[0]);return r=>{let s="";for(let u=0;u<n.length;u++)s+=typeof n[u]=="string"?n[u]:n[u](r,t);return s}}var lp=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function rp(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==lp?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var cu=e=>e%1==0,Hl=[1,2,2.5,5],ip=ol(10,-32,0,Hl),fu=ol(10,0,32,Hl),sp=fu.filter(
cu),zn=ip.concat(fu),wi=`
`,pu="{YYYY}",Ma=wi+pu,du="{M}/{D}",el=wi+du,$l=el+"/{YY}",mu="{aa}",ap="{h}:{mm}",bo=ap+mu,Ra=wi+bo,Aa=":{ss}",ce=null;function hu(e){let t=e*1e3,n=t*60,o=n*60,
l=o*24,r=l*30,s=l*365,d=(e==1?ol(10,0,3,Hl).filter(cu):ol(10,-3,0,Hl)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,l,l*2,l*3,l*
4,l*5,l*6,l*7,l*8,l*9,l*10,l*15,r,r*2,r*3,r*4,r*6,s,s*2,s*5,s*10,s*25,s*50,s*100]),h=[[s,pu,ce,ce,ce,ce,ce,ce,1],[l*28,"{MMM}",Ma,ce,ce,ce,ce,ce,1],[l,du,Ma,ce,
ce,ce,ce,ce,1],[o,"{h}"+mu,$l,ce,el,ce,ce,ce,1],[n,bo,$l,ce,el,ce,ce,ce,1],[t,Aa,$l+" "+bo,ce,el+" "+bo,ce,Ra,ce,1],[e,Aa+".{fff}",$l+" "+bo,ce,el+" "+bo,ce,Ra,
ce,1]];function g(f){return(v,_,x,E,D,M)=>{let w=[],R=D>=s,S=D>=r&&D<s,j=f(x),F=ge(j*e,3),Y=ti(j.getFullYear(),R?0:j.getMonth(),S||R?1:j.getDate()),W=ge(Y*e,3);
if(S||R){let Q=S?D/r:0,N=R?D/s:0,P=F==W?F:ge(ti(Y.getFullYear()+N,Y.getMonth()+Q,1)*e,3),G=new Date(qe(P/e)),L=G.getFullYear(),K=G.getMonth();for(let I=0;P<=E;I++){
let ne=ti(L+N*I,K+Q*I,1),H=ne-f(ge(ne*e,3));P=ge((+ne+H)*e,3),P<=E&&w.push(P)}}else{let Q=D>=l?l:D,N=ht(x)-ht(F),P=W+N+Wl(F-W,Q);w.push(P);let G=f(P),L=G.getHours()+
G.getMinutes()/n+G.getSeconds()/o,K=D/o,I=v.axes[_]._space,ne=M/I;for(;P=ge(P+D,e==1?0:3),!(P>E);)if(K>1){let H=ht(ge(L+K,6))%24,oe=f(P).getHours()-H;oe>1&&(oe=
-1),P-=oe*o,L=(L+K)%24;let de=w[w.length-1];ge((P-de)/D,3)*ne>=.7&&w.push(P)}else w.push(P)}return w}}return[d,h,g]}var[up,cp,fp]=hu(1),[pp,dp,mp]=hu(.001);ol(2,
-53,53,[1]);function La(e,t){return e.map(n=>n.map((o,l)=>l==0||l==8||o==null?o:t(l==1||n[8]==0?o:n[1]+o)))}function Oa(e,t){return(n,o,l,r,s)=>{let u=t.find(x=>s>=
x[0])||t[t.length-1],d,h,g,f,v,_;return o.map(x=>{let E=e(x),D=E.getFullYear(),M=E.getMonth(),w=E.getDate(),R=E.getHours(),S=E.getMinutes(),j=E.getSeconds(),F=D!=
d&&u[2]||M!=h&&u[3]||w!=g&&u[4]||R!=f&&u[5]||S!=v&&u[6]||j!=_&&u[7]||u[1];return d=D,h=M,g=w,f=R,v=S,_=j,F(E)})}}function hp(e,t){let n=xi(t);return(o,l,r,s,u)=>l.
map(d=>n(e(d)))}function ti(e,t,n){return new Date(e,t,n)}function $a(e,t){return t(e)}var gp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Fa(e,t){return(n,o,l,r)=>r==
null?hi:t(e(o))}function _p(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function bp(e,t){return e.series[t].fill(
e,t)}var vp={show:!0,live:!0,isolate:!1,mount:qf,markers:{show:!0,width:2,stroke:_p,fill:bp,dash:"solid"},idx:null,idxs:null,values:[]};function yp(e,t){let n=e.
cursor.points,o=Tt(),l=n.size(e,t);xe(o,Jo,l),xe(o,Xo,l);let r=l/-2;xe(o,"marginLeft",r),xe(o,"marginTop",r);let s=n.width(e,t,l);return s&&xe(o,"borderWidth",s),
o}function xp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function wp(e,t){let n=e.series[t].points;return n._stroke||n._fill}function kp(e,t){return e.
series[t].points.size}var ni=[0,0];function Sp(e,t,n){return ni[0]=t,ni[1]=n,ni}function Fl(e,t,n,o=!0){return l=>{l.button==0&&(!o||l.target==t)&&n(l)}}function oi(e,t,n,o=!0){
return l=>{(!o||l.target==t)&&n(l)}}var Tp={show:!0,x:!0,y:!0,lock:!1,move:Sp,points:{one:!1,show:yp,size:kp,width:0,stroke:wp,fill:xp},bind:{mousedown:Fl,mouseup:Fl,
click:Fl,dblclick:Fl,mousemove:oi,mouseleave:oi,mouseenter:oi},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,o,l)=>o-l,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},gu={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},ki=$e({},gu,{filter:nu}),_u=$e({},ki,{size:10}),bu=$e({},gu,{show:!1}),Si='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',vu="bold "+Si,yu=1.5,za={
show:!0,scale:"x",stroke:mi,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vu,side:2,grid:ki,ticks:_u,border:bu,font:Si,lineGap:yu,rotate:0},
Cp="Value",Pp="Time",qa={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function Dp(e,t,n,o,l){return t.map(r=>r==null?"":vi(r))}function Ep(e,t,n,o,l,r,s){
let u=[],d=hn.get(l)||0;n=s?n:ge(Wl(n,l),d);for(let h=n;h<=o;h=ge(h+l,d))u.push(Object.is(h,-0)?0:h);return u}function ui(e,t,n,o,l,r,s){let u=[],d=e.scales[e.axes[t].
scale].log,h=d==10?en:Xa,g=ht(h(n));l=yo(d,g),d==10&&(l=zn[$t(l,zn)]);let f=n,v=l*d;d==10&&(v=zn[$t(v,zn)]);do u.push(f),f=f+l,d==10&&!hn.has(f)&&(f=ge(f,hn.get(
l))),f>=v&&(l=f,v=l*d,d==10&&(v=zn[$t(v,zn)]));while(f<=o);return u}function Mp(e,t,n,o,l,r,s){let d=e.scales[e.axes[t].scale].asinh,h=o>d?ui(e,t,nt(d,n),o,l):[
d],g=o>=0&&n<=0?[0]:[];return(n<-d?ui(e,t,nt(d,-o),-n,l):[d]).reverse().map(v=>-v).concat(g,h)}var xu=/./,Rp=/[12357]/,Ap=/[125]/,Ua=/1/,ci=(e,t,n,o)=>e.map((l,r)=>t==
4&&l==0||r%o==0&&n.test(l.toExponential()[l<0?1:0])?l:null);function Lp(e,t,n,o,l){let r=e.axes[n],s=r.scale,u=e.scales[s],d=e.valToPos,h=r._space,g=d(10,s),f=d(
9,s)-g>=h?xu:d(7,s)-g>=h?Rp:d(5,s)-g>=h?Ap:Ua;if(f==Ua){let v=Ue(d(1,s)-g);if(v<h)return ci(t.slice().reverse(),u.distr,f,Ct(h/v)).reverse()}return ci(t,u.distr,
f,1)}function Op(e,t,n,o,l){let r=e.axes[n],s=r.scale,u=r._space,d=e.valToPos,h=Ue(d(1,s)-d(2,s));return h<u?ci(t.slice().reverse(),3,xu,Ct(u/h)).reverse():t}function $p(e,t,n,o){
return o==null?hi:t==null?"":vi(t)}var Ha={show:!0,scale:"y",stroke:mi,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vu,side:3,grid:ki,ticks:_u,
border:bu,font:Si,lineGap:yu,rotate:0};function Fp(e,t){let n=3+(e||1)*2;return ge(n*t,3)}function zp(e,t){let{scale:n,idxs:o}=e.series[0],l=e._data[0],r=e.valToPos(
l[o[0]],n,!0),s=e.valToPos(l[o[1]],n,!0),u=Ue(s-r),d=e.series[t],h=u/(d.points.space*se);return o[1]-o[0]<=h}var Ia={scale:null,auto:!0,sorted:0,min:he,max:-he},
wu=(e,t,n,o,l)=>l,Na={show:!0,auto:!0,sorted:0,gaps:wu,alpha:1,facets:[$e({},Ia,{scale:"x"}),$e({},Ia,{scale:"y"})]},Wa={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:wu,alpha:1,points:{show:zp,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function qp(e,t,n,o,l){return n/10}var ku={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Up=$e({},ku,{time:!1,ori:1}),Ga={};function Su(e,t){let n=Ga[e];return n||(n={key:e,plots:[],sub(o){n.plots.
push(o)},unsub(o){n.plots=n.plots.filter(l=>l!=o)},pub(o,l,r,s,u,d,h){for(let g=0;g<n.plots.length;g++)n.plots[g]!=l&&n.plots[g].pub(o,l,r,s,u,d,h)}},e!=null&&(Ga[e]=
n)),n}var ko=1,fi=2;function In(e,t,n){let o=e.mode,l=e.series[t],r=o==2?e._data[t]:e._data,s=e.scales,u=e.bbox,d=r[0],h=o==2?r[1]:r[t],g=o==2?s[l.facets[0].scale]:
s[e.series[0].scale],f=o==2?s[l.facets[1].scale]:s[l.scale],v=u.left,_=u.top,x=u.width,E=u.height,D=e.valToPosH,M=e.valToPosV;return g.ori==0?n(l,d,h,g,f,D,M,v,
_,x,E,Kl,To,jl,Cu,Du):n(l,d,h,g,f,M,D,_,v,E,x,Bl,Co,Pi,Pu,Eu)}function Ti(e,t){let n=0,o=0,l=re(e.bands,yi);for(let r=0;r<l.length;r++){let s=l[r];s.series[0]==
t?n=s.dir:s.series[1]==t&&(s.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function Hp(e,t,n,o,l){let r=e.mode,s=e.series[t],u=r==2?s.facets[1].scale:s.scale,
d=e.scales[u];return l==-1?d.min:l==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function tn(e,t,n,o,l,r){return In(e,t,(s,u,d,h,g,f,v,_,x,E,D)=>{let M=s.pxRound,w=h.
dir*(h.ori==0?1:-1),R=h.ori==0?To:Co,S,j;w==1?(S=n,j=o):(S=o,j=n);let F=M(f(u[S],h,E,_)),Y=M(v(d[S],g,D,x)),W=M(f(u[j],h,E,_)),Q=M(v(r==1?g.max:g.min,g,D,x)),N=new Path2D(
l);return R(N,W,Q),R(N,F,Q),R(N,F,Y),N})}function Vl(e,t,n,o,l,r){let s=null;if(e.length>0){s=new Path2D;let u=t==0?jl:Pi,d=n;for(let f=0;f<e.length;f++){let v=e[f];
if(v[1]>v[0]){let _=v[0]-d;_>0&&u(s,d,o,_,o+r),d=v[1]}}let h=n+l-d,g=10;h>0&&u(s,d,o-g/2,h,o+r+g)}return s}function Ip(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=
n:e.push([t,n])}function Ci(e,t,n,o,l,r,s){let u=[],d=e.length;for(let h=l==1?n:o;h>=n&&h<=o;h+=l)if(t[h]===null){let f=h,v=h;if(l==1)for(;++h<=o&&t[h]===null;)
v=h;else for(;--h>=n&&t[h]===null;)v=h;let _=r(e[f]),x=v==f?_:r(e[v]),E=f-l;_=s<=0&&E>=0&&E<d?r(e[E]):_;let M=v+l;x=s>=0&&M>=0&&M<d?r(e[M]):x,x>=_&&u.push([_,x])}
return u}function Va(e){return e==0?tu:e==1?qe:t=>Fn(t,e)}function Tu(e){let t=e==0?Kl:Bl,n=e==0?(l,r,s,u,d,h)=>{l.arcTo(r,s,u,d,h)}:(l,r,s,u,d,h)=>{l.arcTo(s,r,
d,u,h)},o=e==0?(l,r,s,u,d)=>{l.rect(r,s,u,d)}:(l,r,s,u,d)=>{l.rect(s,r,d,u)};return(l,r,s,u,d,h=0,g=0)=>{h==0&&g==0?o(l,r,s,u,d):(h=Ft(h,u/2,d/2),g=Ft(g,u/2,d/2),
t(l,r+h,s),n(l,r+u,s,r+u,s+d,h),n(l,r+u,s+d,r,s+d,g),n(l,r,s+d,r,s,g),n(l,r,s,r+u,s,h),l.closePath())}}var Kl=(e,t,n)=>{e.moveTo(t,n)},Bl=(e,t,n)=>{e.moveTo(n,t)},
To=(e,t,n)=>{e.lineTo(t,n)},Co=(e,t,n)=>{e.lineTo(n,t)},jl=Tu(0),Pi=Tu(1),Cu=(e,t,n,o,l,r)=>{e.arc(t,n,o,l,r)},Pu=(e,t,n,o,l,r)=>{e.arc(n,t,o,l,r)},Du=(e,t,n,o,l,r,s)=>{
e.bezierCurveTo(t,n,o,l,r,s)},Eu=(e,t,n,o,l,r,s)=>{e.bezierCurveTo(n,t,l,o,s,r)};function Mu(e){return(t,n,o,l,r)=>In(t,n,(s,u,d,h,g,f,v,_,x,E,D)=>{let{pxRound:M,
points:w}=s,R,S;h.ori==0?(R=Kl,S=Cu):(R=Bl,S=Pu);let j=ge(w.width*se,3),F=(w.size-w.width)/2*se,Y=ge(F*2,3),W=new Path2D,Q=new Path2D,{left:N,top:P,width:G,height:L}=t.
bbox;jl(Q,N-Y,P-Y,G+Y*2,L+Y*2);let K=I=>{if(d[I]!=null){let ne=M(f(u[I],h,E,_)),H=M(v(d[I],g,D,x));R(W,ne+F,H),S(W,ne,H,F,0,zl*2)}};if(r)r.forEach(K);else for(let I=o;I<=
l;I++)K(I);return{stroke:j>0?W:null,fill:W,clip:Q,flags:ko|fi}})}function Ru(e){return(t,n,o,l,r,s)=>{o!=l&&(r!=o&&s!=o&&e(t,n,o),r!=l&&s!=l&&e(t,n,l),e(t,n,s))}}
var Np=Ru(To),Wp=Ru(Co);function Au(e){let t=re(e?.alignGaps,0);return(n,o,l,r)=>In(n,o,(s,u,d,h,g,f,v,_,x,E,D)=>{[l,r]=Il(d,l,r);let M=s.pxRound,w=L=>M(f(L,h,E,
_)),R=L=>M(v(L,g,D,x)),S,j;h.ori==0?(S=To,j=Np):(S=Co,j=Wp);let F=h.dir*(h.ori==0?1:-1),Y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ko},W=Y.
stroke,Q=!1;if(r-l>=E*4){let L=q=>n.posToVal(q,h.key,!0),K=null,I=null,ne,H,ot,we=w(u[F==1?l:r]),oe=w(u[l]),de=w(u[r]),X=L(F==1?oe+1:de-1);for(let q=F==1?l:r;q>=
l&&q<=r;q+=F){let Fe=u[q],ke=(F==1?Fe<X:Fe>X)?we:w(Fe),ae=d[q];ke==we?ae!=null?(H=ae,K==null?(S(W,ke,R(H)),ne=K=I=H):H<K?K=H:H>I&&(I=H)):ae===null&&(Q=!0):(K!=null&&
j(W,we,R(K),R(I),R(ne),R(H)),ae!=null?(H=ae,S(W,ke,R(H)),K=I=ne=H):(K=I=null,ae===null&&(Q=!0)),we=ke,X=L(we+F))}K!=null&&K!=I&&ot!=we&&j(W,we,R(K),R(I),R(ne),R(
H))}else for(let L=F==1?l:r;L>=l&&L<=r;L+=F){let K=d[L];K===null?Q=!0:K!=null&&S(W,w(u[L]),R(K))}let[P,G]=Ti(n,o);if(s.fill!=null||P!=0){let L=Y.fill=new Path2D(
W),K=s.fillTo(n,o,s.min,s.max,P),I=R(K),ne=w(u[l]),H=w(u[r]);F==-1&&([H,ne]=[ne,H]),S(L,H,I),S(L,ne,I)}if(!s.spanGaps){let L=[];Q&&L.push(...Ci(u,d,l,r,F,w,t)),
Y.gaps=L=s.gaps(n,o,l,r,L),Y.clip=Vl(L,h.ori,_,x,E,D)}return G!=0&&(Y.band=G==2?[tn(n,o,l,r,W,-1),tn(n,o,l,r,W,1)]:tn(n,o,l,r,W,G)),Y})}function Gp(e){let t=re(
e.align,1),n=re(e.ascDesc,!1),o=re(e.alignGaps,0),l=re(e.extend,!1);return(r,s,u,d)=>In(r,s,(h,g,f,v,_,x,E,D,M,w,R)=>{[u,d]=Il(f,u,d);let S=h.pxRound,{left:j,width:F}=r.
bbox,Y=oe=>S(x(oe,v,w,D)),W=oe=>S(E(oe,_,R,M)),Q=v.ori==0?To:Co,N={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ko},P=N.stroke,G=v.dir*(v.ori==
0?1:-1),L=W(f[G==1?u:d]),K=Y(g[G==1?u:d]),I=K,ne=K;l&&t==-1&&(ne=j,Q(P,ne,L)),Q(P,K,L);for(let oe=G==1?u:d;oe>=u&&oe<=d;oe+=G){let de=f[oe];if(de==null)continue;
let X=Y(g[oe]),q=W(de);t==1?Q(P,X,L):Q(P,I,q),Q(P,X,q),L=q,I=X}let H=I;l&&t==1&&(H=j+F,Q(P,H,L));let[ot,we]=Ti(r,s);if(h.fill!=null||ot!=0){let oe=N.fill=new Path2D(
P),de=h.fillTo(r,s,h.min,h.max,ot),X=W(de);Q(oe,H,X),Q(oe,ne,X)}if(!h.spanGaps){let oe=[];oe.push(...Ci(g,f,u,d,G,Y,o));let de=h.width*se/2,X=n||t==1?de:-de,q=n||
t==-1?-de:de;oe.forEach(Fe=>{Fe[0]+=X,Fe[1]+=q}),N.gaps=oe=h.gaps(r,s,u,d,oe),N.clip=Vl(oe,v.ori,D,M,w,R)}return we!=0&&(N.band=we==2?[tn(r,s,u,d,P,-1),tn(r,s,u,
d,P,1)]:tn(r,s,u,d,P,we)),N})}function Ka(e,t,n,o,l,r,s=he){if(e.length>1){let u=null;for(let d=0,h=1/0;d<e.length;d++)if(t[d]!==void 0){if(u!=null){let g=Ue(e[d]-
e[u]);g<h&&(h=g,s=Ue(n(e[d],o,l,r)-n(e[u],o,l,r)))}u=d}}return s}function Vp(e){e=e||nl;let t=re(e.size,[.6,he,1]),n=e.align||0,o=e.gap||0,l=e.radius;l=l==null?
[0,0]:typeof l=="number"?[l,0]:l;let r=te(l),s=1-t[0],u=re(t[1],he),d=re(t[2],1),h=re(e.disp,nl),g=re(e.each,_=>{}),{fill:f,stroke:v}=h;return(_,x,E,D)=>In(_,x,
(M,w,R,S,j,F,Y,W,Q,N,P)=>{let G=M.pxRound,L=n,K=o*se,I=u*se,ne=d*se,H,ot;S.ori==0?[H,ot]=r(_,x):[ot,H]=r(_,x);let we=S.dir*(S.ori==0?1:-1),oe=S.ori==0?jl:Pi,de=S.
ori==0?g:($,_e,ze,Vn,bn,Ht,vn)=>{g($,_e,ze,bn,Vn,vn,Ht)},X=re(_.bands,yi).find($=>$.series[0]==x),q=X!=null?X.dir:0,Fe=M.fillTo(_,x,M.min,M.max,q),Qe=G(Y(Fe,j,P,
Q)),ke,ae,Pt,at=N,De=G(M.width*se),Ut=!1,Yt=null,_t=null,nn=null,Nn=null;f!=null&&(De==0||v!=null)&&(Ut=!0,Yt=f.values(_,x,E,D),_t=new Map,new Set(Yt).forEach($=>{
$!=null&&_t.set($,new Path2D)}),De>0&&(nn=v.values(_,x,E,D),Nn=new Map,new Set(nn).forEach($=>{$!=null&&Nn.set($,new Path2D)})));let{x0:Wn,size:Mo}=h;if(Wn!=null&&
Mo!=null){L=1,w=Wn.values(_,x,E,D),Wn.unit==2&&(w=w.map(ze=>_.posToVal(W+ze*N,S.key,!0)));let $=Mo.values(_,x,E,D);Mo.unit==2?ae=$[0]*N:ae=F($[0],S,N,W)-F(0,S,N,
W),at=Ka(w,R,F,S,N,W,at),Pt=at-ae+K}else at=Ka(w,R,F,S,N,W,at),Pt=at*s+K,ae=at-Pt;Pt<1&&(Pt=0),De>=ae/2&&(De=0),Pt<5&&(G=tu);let sl=Pt>0,gn=at-Pt-(sl?De:0);ae=G(
ai(gn,ne,I)),ke=(L==0?ae/2:L==we?0:ae)-L*we*((L==0?K/2:0)+(sl?De/2:0));let Je={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Gn=Ut?null:new Path2D,
Zt=null;if(X!=null)Zt=_.data[X.series[1]];else{let{y0:$,y1:_e}=h;$!=null&&_e!=null&&(R=_e.values(_,x,E,D),Zt=$.values(_,x,E,D))}let _n=H*ae,Z=ot*ae;for(let $=we==
1?E:D;$>=E&&$<=D;$+=we){let _e=R[$];if(_e==null)continue;if(Zt!=null){let lt=Zt[$]??0;if(_e-lt==0)continue;Qe=Y(lt,j,P,Q)}let ze=S.distr!=2||h!=null?w[$]:$,Vn=F(
ze,S,N,W),bn=Y(re(_e,Fe),j,P,Q),Ht=G(Vn-ke),vn=G(nt(bn,Qe)),ut=G(Ft(bn,Qe)),bt=vn-ut;if(_e!=null){let lt=_e<0?Z:_n,Dt=_e<0?_n:Z;Ut?(De>0&&nn[$]!=null&&oe(Nn.get(
nn[$]),Ht,ut+ht(De/2),ae,nt(0,bt-De),lt,Dt),Yt[$]!=null&&oe(_t.get(Yt[$]),Ht,ut+ht(De/2),ae,nt(0,bt-De),lt,Dt)):oe(Gn,Ht,ut+ht(De/2),ae,nt(0,bt-De),lt,Dt),de(_,
x,$,Ht-De/2,ut,ae+De,bt)}}return De>0?Je.stroke=Ut?Nn:Gn:Ut||(Je._fill=M.width==0?M._fill:M._stroke??M._fill,Je.width=0),Je.fill=Ut?_t:Gn,Je})}function Kp(e,t){
let n=re(t?.alignGaps,0);return(o,l,r,s)=>In(o,l,(u,d,h,g,f,v,_,x,E,D,M)=>{[r,s]=Il(h,r,s);let w=u.pxRound,R=H=>w(v(H,g,D,x)),S=H=>w(_(H,f,M,E)),j,F,Y;g.ori==0?
(j=Kl,Y=To,F=Du):(j=Bl,Y=Co,F=Eu);let W=g.dir*(g.ori==0?1:-1),Q=R(d[W==1?r:s]),N=Q,P=[],G=[];for(let H=W==1?r:s;H>=r&&H<=s;H+=W)if(h[H]!=null){let we=d[H],oe=R(
we);P.push(N=oe),G.push(S(h[H]))}let L={stroke:e(P,G,j,Y,F,w),fill:null,clip:null,band:null,gaps:null,flags:ko},K=L.stroke,[I,ne]=Ti(o,l);if(u.fill!=null||I!=0){
let H=L.fill=new Path2D(K),ot=u.fillTo(o,l,u.min,u.max,I),we=S(ot);Y(H,N,we),Y(H,Q,we)}if(!u.spanGaps){let H=[];H.push(...Ci(d,h,r,s,W,R,n)),L.gaps=H=u.gaps(o,l,
r,s,H),L.clip=Vl(H,g.ori,x,E,D,M)}return ne!=0&&(L.band=ne==2?[tn(o,l,r,s,K,-1),tn(o,l,r,s,K,1)]:tn(o,l,r,s,K,ne)),L})}function Bp(e){return Kp(jp,e)}function jp(e,t,n,o,l,r){
let s=e.length;if(s<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),s==2)o(u,e[1],t[1]);else{let d=Array(s),h=Array(s-1),g=Array(s-1),f=Array(s-1);for(let v=0;v<
s-1;v++)g[v]=t[v+1]-t[v],f[v]=e[v+1]-e[v],h[v]=g[v]/f[v];d[0]=h[0];for(let v=1;v<s-1;v++)h[v]===0||h[v-1]===0||h[v-1]>0!=h[v]>0?d[v]=0:(d[v]=3*(f[v-1]+f[v])/((2*
f[v]+f[v-1])/h[v-1]+(f[v]+2*f[v-1])/h[v]),isFinite(d[v])||(d[v]=0));d[s-1]=h[s-2];for(let v=0;v<s-1;v++)l(u,e[v]+f[v]/3,t[v]+d[v]*f[v]/3,e[v+1]-f[v]/3,t[v+1]-d[v+
1]*f[v]/3,e[v+1],t[v+1])}return u}var pi=new Set;function Ba(){for(let e of pi)e.syncRect(!0)}So&&(Un(Df,vo,Ba),Un(Ef,vo,Ba,!0),Un(ql,vo,()=>{He.pxRatio=se}));var Yp=Au(),
Zp=Mu();function ja(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((r,s)=>di(r,s,t,n))}function Qp(e,t){return e.map((n,o)=>o==
0?{}:$e({},t,n))}function di(e,t,n,o){return $e({},t==0?n:o,e)}function Lu(e,t,n){return t==null?xo:[t,n]}var Jp=Lu;function Xp(e,t,n){return t==null?xo:Ul(t,n,
bi,!0)}function Ou(e,t,n,o){return t==null?xo:Nl(t,n,e.scales[o].log,!1)}var ed=Ou;function $u(e,t,n,o){return t==null?xo:_i(t,n,e.scales[o].log,!1)}var td=$u;function nd(e,t,n,o,l){
let r=nt(Ca(e),Ca(t)),s=t-e,u=$t(l/o*s,n);do{let d=n[u],h=o*d/s;if(h>=l&&r+(d<5?hn.get(d):0)<=17)return[d,h]}while(++u<n.length);return[0,0]}function Ya(e){let t,
n;return e=e.replace(/(\d+)px/,(o,l)=>(t=qe((n=+l)*se))+"px"),[e,t,n]}function od(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=ge(t[2]*se,1);t[0]=t[0].replace(
/[0-9.]+px/,n+"px"),t[1]=n})}function He(e,t,n){let o={mode:re(e.mode,1)},l=o.mode;function r(i,c,p,m){let b=c.valToPct(i);return m+p*(c.dir==-1?1-b:b)}function s(i,c,p,m){
let b=c.valToPct(i);return m+p*(c.dir==-1?b:1-b)}function u(i,c,p,m){return c.ori==0?r(i,c,p,m):s(i,c,p,m)}o.valToPosH=r,o.valToPosV=s;let d=!1;o.status=0;let h=o.
root=Tt(cf);if(e.id!=null&&(h.id=e.id),mt(h,e.class),e.title){let i=Tt(df,h);i.textContent=e.title}let g=Ot("canvas"),f=o.ctx=g.getContext("2d"),v=Tt(mf,h);Un("\
click",v,i=>{i.target===x&&(be!=no||Se!=oo)&&je.click(o,i)},!0);let _=o.under=Tt(hf,v);v.appendChild(g);let x=o.over=Tt(gf,v);e=wo(e);let E=+re(e.pxAlign,1),D=Va(
E);(e.plugins||[]).forEach(i=>{i.opts&&(e=i.opts(o,e)||e)});let M=e.ms||.001,w=o.series=l==1?ja(e.series||[],qa,Wa,!1):Qp(e.series||[null],Na),R=o.axes=ja(e.axes||
[],za,Ha,!0),S=o.scales={},j=o.bands=e.bands||[];j.forEach(i=>{i.fill=te(i.fill||null),i.dir=re(i.dir,-1)});let F=l==2?w[1].facets[0].scale:w[0].scale,Y={axes:gc,
series:fc},W=(e.drawOrder||["axes","series"]).map(i=>Y[i]);function Q(i){let c=i.distr==3?p=>en(p>0?p:i.clamp(o,p,i.min,i.max,i.key)):i.distr==4?p=>ei(p,i.asinh):
i.distr==100?p=>i.fwd(p):p=>p;return p=>{let m=c(p),{_min:b,_max:y}=i,k=y-b;return(m-b)/k}}function N(i){let c=S[i];if(c==null){let p=(e.scales||nl)[i]||nl;if(p.
from!=null){N(p.from);let m=$e({},S[p.from],p,{key:i});m.valToPct=Q(m),S[i]=m}else{c=S[i]=$e({},i==F?ku:Up,p),c.key=i;let m=c.time,b=c.range,y=mn(b);if((i!=F||l==
2&&!m)&&(y&&(b[0]==null||b[1]==null)&&(b={min:b[0]==null?ka:{mode:1,hard:b[0],soft:b[0]},max:b[1]==null?ka:{mode:1,hard:b[1],soft:b[1]}},y=!1),!y&&Gl(b))){let k=b;
b=(T,C,A)=>C==null?xo:Ul(C,A,k)}c.range=te(b||(m?Jp:i==F?c.distr==3?ed:c.distr==4?td:Lu:c.distr==3?Ou:c.distr==4?$u:Xp)),c.auto=te(y?!1:c.auto),c.clamp=te(c.clamp||
qp),c._min=c._max=null,c.valToPct=Q(c)}}}N("x"),N("y"),l==1&&w.forEach(i=>{N(i.scale)}),R.forEach(i=>{N(i.scale)});for(let i in e.scales)N(i);let P=S[F],G=P.distr,
L,K;P.ori==0?(mt(h,ff),L=r,K=s):(mt(h,pf),L=s,K=r);let I={};for(let i in S){let c=S[i];(c.min!=null||c.max!=null)&&(I[i]={min:c.min,max:c.max},c.min=c.max=null)}
let ne=e.tzDate||(i=>new Date(qe(i/M))),H=e.fmtDate||xi,ot=M==1?fp(ne):mp(ne),we=Oa(ne,La(M==1?cp:dp,H)),oe=Fa(ne,$a(gp,H)),de=[],X=o.legend=$e({},vp,e.legend),
q=o.cursor=$e({},Tp,{drag:{y:l==2}},e.cursor),Fe=X.show,Qe=q.show,ke=X.markers;X.idxs=de,ke.width=te(ke.width),ke.dash=te(ke.dash),ke.stroke=te(ke.stroke),ke.fill=
te(ke.fill);let ae,Pt,at,De=[],Ut=[],Yt,_t=!1,nn={};if(X.live){let i=w[1]?w[1].values:null;_t=i!=null,Yt=_t?i(o,1,0):{_:0};for(let c in Yt)nn[c]=hi}if(Fe)if(ae=
Ot("table",wf,h),at=Ot("tbody",null,ae),X.mount(o,ae),_t){Pt=Ot("thead",null,ae,at);let i=Ot("tr",null,Pt);Ot("th",null,i);for(var Nn in Yt)Ot("th",ca,i).textContent=
Nn}else mt(ae,Sf),X.live&&mt(ae,kf);let Wn={show:!0},Mo={show:!1};function sl(i,c){if(c==0&&(_t||!X.live||l==2))return xo;let p=[],m=Ot("tr",Tf,at,at.childNodes[c]);
mt(m,i.class),i.show||mt(m,qn);let b=Ot("th",null,m);if(ke.show){let T=Tt(Cf,b);if(c>0){let C=ke.width(o,c);C&&(T.style.border=C+"px "+ke.dash(o,c)+" "+ke.stroke(
o,c)),T.style.background=ke.fill(o,c)}}let y=Tt(ca,b);i.label instanceof HTMLElement?y.appendChild(i.label):y.textContent=i.label,c>0&&(ke.show||(y.style.color=
i.width>0?ke.stroke(o,c):ke.fill(o,c)),Je("click",b,T=>{if(q._lock)return;xn(T);let C=w.indexOf(i);if((T.ctrlKey||T.metaKey)!=X.isolate){let A=w.some((O,z)=>z>0&&
z!=C&&O.show);w.forEach((O,z)=>{z>0&&Nt(z,A?z==C?Wn:Mo:Wn,!0,Le.setSeries)})}else Nt(C,{show:!i.show},!0,Le.setSeries)},!1),Bn&&Je(ma,b,T=>{q._lock||(xn(T),Nt(w.
indexOf(i),ro,!0,Le.setSeries))},!1));for(var k in Yt){let T=Ot("td",Pf,m);T.textContent="--",p.push(T)}return[m,p]}let gn=new Map;function Je(i,c,p,m=!0){let b=gn.
get(c)||{},y=q.bind[i](o,c,p,m);y&&(Un(i,c,b[i]=y),gn.set(c,b))}function Gn(i,c,p){let m=gn.get(c)||{};for(let b in m)(i==null||b==i)&&(si(b,c,m[b]),delete m[b]);
i==null&&gn.delete(c)}let Zt=0,_n=0,Z=0,$=0,_e=0,ze=0,Vn=_e,bn=ze,Ht=Z,vn=$,ut=0,bt=0,lt=0,Dt=0;o.bbox={};let nr=!1,al=!1,Kn=!1,yn=!1,ul=!1,vt=!1;function or(i,c,p){
(p||i!=o.width||c!=o.height)&&Ii(i,c),Jn(!1),Kn=!0,al=!0,Xn()}function Ii(i,c){o.width=Zt=Z=i,o.height=_n=$=c,_e=ze=0,lc(),rc();let p=o.bbox;ut=p.left=Fn(_e*se,
.5),bt=p.top=Fn(ze*se,.5),lt=p.width=Fn(Z*se,.5),Dt=p.height=Fn($*se,.5)}let tc=3;function nc(){let i=!1,c=0;for(;!i;){c++;let p=mc(c),m=hc(c);i=c==tc||p&&m,i||
(Ii(o.width,o.height),al=!0)}}function oc({width:i,height:c}){or(i,c)}o.setSize=oc;function lc(){let i=!1,c=!1,p=!1,m=!1;R.forEach((b,y)=>{if(b.show&&b._show){let{
side:k,_size:T}=b,C=k%2,A=b.label!=null?b.labelSize:0,O=T+A;O>0&&(C?(Z-=O,k==3?(_e+=O,m=!0):p=!0):($-=O,k==0?(ze+=O,i=!0):c=!0))}}),wn[0]=i,wn[1]=p,wn[2]=c,wn[3]=
m,Z-=on[1]+on[3],_e+=on[3],$-=on[2]+on[0],ze+=on[0]}function rc(){let i=_e+Z,c=ze+$,p=_e,m=ze;function b(y,k){switch(y){case 1:return i+=k,i-k;case 2:return c+=
k,c-k;case 3:return p-=k,p+k;case 0:return m-=k,m+k}}R.forEach((y,k)=>{if(y.show&&y._show){let T=y.side;y._pos=b(T,y._size),y.label!=null&&(y._lpos=b(T,y.labelSize))}})}
if(q.dataIdx==null){let i=q.hover,c=i.skip=new Set(i.skip??[]);c.add(void 0);let p=i.prox=te(i.prox),m=i.bias??=0;q.dataIdx=(b,y,k,T)=>{if(y==0)return k;let C=k,
A=p(b,y,k,T)??he,O=A>=0&&A<he,z=P.ori==0?Z:$,B=q.left,ie=t[0],le=t[y];if(c.has(le[k])){C=null;let ee=null,V=null,U;if(m==0||m==-1)for(U=k;ee==null&&U-- >0;)c.has(
le[U])||(ee=U);if(m==0||m==1)for(U=k;V==null&&U++<le.length;)c.has(le[U])||(V=U);if(ee!=null||V!=null)if(O){let ye=ee==null?-1/0:L(ie[ee],P,z,0),Ee=V==null?1/0:
L(ie[V],P,z,0),Ke=B-ye,me=Ee-B;Ke<=me?Ke<=A&&(C=ee):me<=A&&(C=V)}else C=V==null?ee:ee==null?V:k-ee<=V-k?ee:V}else O&&Ue(B-L(ie[k],P,z,0))>A&&(C=null);return C}}
let xn=i=>{q.event=i};q.idxs=de,q._lock=!1;let Ze=q.points;Ze.show=te(Ze.show),Ze.size=te(Ze.size),Ze.stroke=te(Ze.stroke),Ze.width=te(Ze.width),Ze.fill=te(Ze.fill);
let It=o.focus=$e({},e.focus||{alpha:.3},q.focus),Bn=It.prox>=0,jn=Bn&&Ze.one,yt=[],Yn=[],Zn=[];function Ni(i,c){let p=Ze.show(o,c);if(p instanceof HTMLElement)
return mt(p,xf),mt(p,i.class),Bt(p,-10,-10,Z,$),x.insertBefore(p,yt[c]),p}function Wi(i,c){if(l==1||c>0){let p=l==1&&S[i.scale].time,m=i.value;i.value=p?Ea(m)?Fa(
ne,$a(m,H)):m||oe:m||$p,i.label=i.label||(p?Pp:Cp)}if(jn||c>0){i.width=i.width==null?1:i.width,i.paths=i.paths||Yp||Uf,i.fillTo=te(i.fillTo||Hp),i.pxAlign=+re(i.
pxAlign,E),i.pxRound=Va(i.pxAlign),i.stroke=te(i.stroke||null),i.fill=te(i.fill||null),i._stroke=i._fill=i._paths=i._focus=null;let p=Fp(nt(1,i.width),1),m=i.points=
$e({},{size:p,width:nt(1,p*.2),stroke:i.stroke,space:p*2,paths:Zp,_stroke:null,_fill:null},i.points);m.show=te(m.show),m.filter=te(m.filter),m.fill=te(m.fill),m.
stroke=te(m.stroke),m.paths=te(m.paths),m.pxAlign=i.pxAlign}if(Fe){let p=sl(i,c);De.splice(c,0,p[0]),Ut.splice(c,0,p[1]),X.values.push(null)}if(Qe){de.splice(c,
0,null);let p=null;jn?c==0&&(p=Ni(i,c)):c>0&&(p=Ni(i,c)),yt.splice(c,0,p),Yn.splice(c,0,0),Zn.splice(c,0,0)}Ve("addSeries",c)}function ic(i,c){c=c??w.length,i=l==
1?di(i,c,qa,Wa):di(i,c,{},Na),w.splice(c,0,i),Wi(w[c],c)}o.addSeries=ic;function sc(i){if(w.splice(i,1),Fe){X.values.splice(i,1),Ut.splice(i,1);let c=De.splice(
i,1)[0];Gn(null,c.firstChild),c.remove()}Qe&&(de.splice(i,1),yt.splice(i,1)[0].remove(),Yn.splice(i,1),Zn.splice(i,1)),Ve("delSeries",i)}o.delSeries=sc;let wn=[
!1,!1,!1,!1];function ac(i,c){if(i._show=i.show,i.show){let p=i.side%2,m=S[i.scale];m==null&&(i.scale=p?w[1].scale:F,m=S[i.scale]);let b=m.time;i.size=te(i.size),
i.space=te(i.space),i.rotate=te(i.rotate),mn(i.incrs)&&i.incrs.forEach(k=>{!hn.has(k)&&hn.set(k,lu(k))}),i.incrs=te(i.incrs||(m.distr==2?sp:b?M==1?up:pp:zn)),i.
splits=te(i.splits||(b&&m.distr==1?ot:m.distr==3?ui:m.distr==4?Mp:Ep)),i.stroke=te(i.stroke),i.grid.stroke=te(i.grid.stroke),i.ticks.stroke=te(i.ticks.stroke),i.
border.stroke=te(i.border.stroke);let y=i.values;i.values=mn(y)&&!mn(y[0])?te(y):b?mn(y)?Oa(ne,La(y,H)):Ea(y)?hp(ne,y):y||we:y||Dp,i.filter=te(i.filter||(m.distr>=
3&&m.log==10?Lp:m.distr==3&&m.log==2?Op:nu)),i.font=Ya(i.font),i.labelFont=Ya(i.labelFont),i._size=i.size(o,null,c,0),i._space=i._rotate=i._incrs=i._found=i._splits=
i._values=null,i._size>0&&(wn[c]=!0,i._el=Tt(_f,v))}}function Ro(i,c,p,m){let[b,y,k,T]=p,C=c%2,A=0;return C==0&&(T||y)&&(A=c==0&&!b||c==2&&!k?qe(za.size/3):0),C==
1&&(b||k)&&(A=c==1&&!y||c==3&&!T?qe(Ha.size/2):0),A}let Gi=o.padding=(e.padding||[Ro,Ro,Ro,Ro]).map(i=>te(re(i,Ro))),on=o._padding=Gi.map((i,c)=>i(o,c,wn,0)),Be,
Ie=null,Ne=null,cl=l==1?w[0].idxs:null,Et=null,Ao=!1;function Vi(i,c){if(t=i??[],o.data=o._data=t,l==2){Be=0;for(let p=1;p<w.length;p++)Be+=t[p][0].length}else{
t.length==0&&(o.data=o._data=t=[[]]),Et=t[0],Be=Et.length;let p=t;if(G==2){p=t.slice();let m=p[0]=Array(Be);for(let b=0;b<Be;b++)m[b]=b}o._data=t=p}if(Jn(!0),Ve(
"setData"),G==2&&(Kn=!0),c!==!1){let p=P;p.auto(o,Ao)?lr():rn(F,p.min,p.max),yn=yn||q.left>=0,vt=!0,Xn()}}o.setData=Vi;function lr(){Ao=!0;let i,c;l==1&&(Be>0?(Ie=
cl[0]=0,Ne=cl[1]=Be-1,i=t[0][Ie],c=t[0][Ne],G==2?(i=Ie,c=Ne):i==c&&(G==3?[i,c]=Nl(i,i,P.log,!1):G==4?[i,c]=_i(i,i,P.log,!1):P.time?c=i+qe(86400/M):[i,c]=Ul(i,c,
bi,!0))):(Ie=cl[0]=i=null,Ne=cl[1]=c=null)),rn(F,i,c)}let fl,Qn,rr,ir,sr,ar,ur,cr,fr,rt;function Ki(i,c,p,m,b,y){i??=pa,p??=yi,m??="butt",b??=pa,y??="round",i!=
fl&&(f.strokeStyle=fl=i),b!=Qn&&(f.fillStyle=Qn=b),c!=rr&&(f.lineWidth=rr=c),y!=sr&&(f.lineJoin=sr=y),m!=ar&&(f.lineCap=ar=m),p!=ir&&f.setLineDash(ir=p)}function Bi(i,c,p,m){
c!=Qn&&(f.fillStyle=Qn=c),i!=ur&&(f.font=ur=i),p!=cr&&(f.textAlign=cr=p),m!=fr&&(f.textBaseline=fr=m)}function pr(i,c,p,m,b=0){if(m.length>0&&i.auto(o,Ao)&&(c==
null||c.min==null)){let y=re(Ie,0),k=re(Ne,m.length-1),T=p.min==null?Lf(m,y,k,b,i.distr==3):[p.min,p.max];i.min=Ft(i.min,p.min=T[0]),i.max=nt(i.max,p.max=T[1])}}
let ji={min:null,max:null};function uc(){for(let m in S){let b=S[m];I[m]==null&&(b.min==null||I[F]!=null&&b.auto(o,Ao))&&(I[m]=ji)}for(let m in S){let b=S[m];I[m]==
null&&b.from!=null&&I[b.from]!=null&&(I[m]=ji)}I[F]!=null&&Jn(!0);let i={};for(let m in I){let b=I[m];if(b!=null){let y=i[m]=wo(S[m],Nf);if(b.min!=null)$e(y,b);else if(m!=
F||l==2)if(Be==0&&y.from==null){let k=y.range(o,null,null,m);y.min=k[0],y.max=k[1]}else y.min=he,y.max=-he}}if(Be>0){w.forEach((m,b)=>{if(l==1){let y=m.scale,k=I[y];
if(k==null)return;let T=i[y];if(b==0){let C=T.range(o,T.min,T.max,y);T.min=C[0],T.max=C[1],Ie=$t(T.min,t[0]),Ne=$t(T.max,t[0]),Ne-Ie>1&&(t[0][Ie]<T.min&&Ie++,t[0][Ne]>
T.max&&Ne--),m.min=Et[Ie],m.max=Et[Ne]}else m.show&&m.auto&&pr(T,k,m,t[b],m.sorted);m.idxs[0]=Ie,m.idxs[1]=Ne}else if(b>0&&m.show&&m.auto){let[y,k]=m.facets,T=y.
scale,C=k.scale,[A,O]=t[b],z=i[T],B=i[C];z!=null&&pr(z,I[T],y,A,y.sorted),B!=null&&pr(B,I[C],k,O,k.sorted),m.min=k.min,m.max=k.max}});for(let m in i){let b=i[m],
y=I[m];if(b.from==null&&(y==null||y.min==null)){let k=b.range(o,b.min==he?null:b.min,b.max==-he?null:b.max,m);b.min=k[0],b.max=k[1]}}}for(let m in i){let b=i[m];
if(b.from!=null){let y=i[b.from];if(y.min==null)b.min=b.max=null;else{let k=b.range(o,y.min,y.max,m);b.min=k[0],b.max=k[1]}}}let c={},p=!1;for(let m in i){let b=i[m],
y=S[m];if(y.min!=b.min||y.max!=b.max){y.min=b.min,y.max=b.max;let k=y.distr;y._min=k==3?en(y.min):k==4?ei(y.min,y.asinh):k==100?y.fwd(y.min):y.min,y._max=k==3?en(
y.max):k==4?ei(y.max,y.asinh):k==100?y.fwd(y.max):y.max,c[m]=p=!0}}if(p){w.forEach((m,b)=>{l==2?b>0&&c.y&&(m._paths=null):c[m.scale]&&(m._paths=null)});for(let m in c)
Kn=!0,Ve("setScale",m);Qe&&q.left>=0&&(yn=vt=!0)}for(let m in I)I[m]=null}function cc(i){let c=ai(Ie-1,0,Be-1),p=ai(Ne+1,0,Be-1);for(;i[c]==null&&c>0;)c--;for(;i[p]==
null&&p<Be-1;)p++;return[c,p]}function fc(){if(Be>0){let i=w.some(c=>c._focus)&&rt!=It.alpha;i&&(f.globalAlpha=rt=It.alpha),w.forEach((c,p)=>{if(p>0&&c.show&&(Yi(
p,!1),Yi(p,!0),c._paths==null)){let m=rt;rt!=c.alpha&&(f.globalAlpha=rt=c.alpha);let b=l==2?[0,t[p][0].length-1]:cc(t[p]);c._paths=c.paths(o,p,b[0],b[1]),rt!=m&&
(f.globalAlpha=rt=m)}}),w.forEach((c,p)=>{if(p>0&&c.show){let m=rt;rt!=c.alpha&&(f.globalAlpha=rt=c.alpha),c._paths!=null&&Zi(p,!1);{let b=c._paths!=null?c._paths.
gaps:null,y=c.points.show(o,p,Ie,Ne,b),k=c.points.filter(o,p,y,b);(y||k)&&(c.points._paths=c.points.paths(o,p,Ie,Ne,k),Zi(p,!0))}rt!=m&&(f.globalAlpha=rt=m),Ve(
"drawSeries",p)}}),i&&(f.globalAlpha=rt=1)}}function Yi(i,c){let p=c?w[i].points:w[i];p._stroke=p.stroke(o,i),p._fill=p.fill(o,i)}function Zi(i,c){let p=c?w[i].
points:w[i],{stroke:m,fill:b,clip:y,flags:k,_stroke:T=p._stroke,_fill:C=p._fill,_width:A=p.width}=p._paths;A=ge(A*se,3);let O=null,z=A%2/2;c&&C==null&&(C=A>0?"#\
fff":T);let B=p.pxAlign==1&&z>0;if(B&&f.translate(z,z),!c){let ie=ut-A/2,le=bt-A/2,ee=lt+A,V=Dt+A;O=new Path2D,O.rect(ie,le,ee,V)}c?dr(T,A,p.dash,p.cap,C,m,b,k,
y):pc(i,T,A,p.dash,p.cap,C,m,b,k,O,y),B&&f.translate(-z,-z)}function pc(i,c,p,m,b,y,k,T,C,A,O){let z=!1;C!=0&&j.forEach((B,ie)=>{if(B.series[0]==i){let le=w[B.series[1]],
ee=t[B.series[1]],V=(le._paths||nl).band;mn(V)&&(V=B.dir==1?V[0]:V[1]);let U,ye=null;le.show&&V&&$f(ee,Ie,Ne)?(ye=B.fill(o,ie)||y,U=le._paths.clip):V=null,dr(c,
p,m,b,ye,k,T,C,A,O,U,V),z=!0}}),z||dr(c,p,m,b,y,k,T,C,A,O)}let Qi=ko|fi;function dr(i,c,p,m,b,y,k,T,C,A,O,z){Ki(i,c,p,m,b),(C||A||z)&&(f.save(),C&&f.clip(C),A&&
f.clip(A)),z?(T&Qi)==Qi?(f.clip(z),O&&f.clip(O),dl(b,k),pl(i,y,c)):T&fi?(dl(b,k),f.clip(z),pl(i,y,c)):T&ko&&(f.save(),f.clip(z),O&&f.clip(O),dl(b,k),f.restore(),
pl(i,y,c)):(dl(b,k),pl(i,y,c)),(C||A||z)&&f.restore()}function pl(i,c,p){p>0&&(c instanceof Map?c.forEach((m,b)=>{f.strokeStyle=fl=b,f.stroke(m)}):c!=null&&i&&f.
stroke(c))}function dl(i,c){c instanceof Map?c.forEach((p,m)=>{f.fillStyle=Qn=m,f.fill(p)}):c!=null&&i&&f.fill(c)}function dc(i,c,p,m){let b=R[i],y;if(m<=0)y=[0,
0];else{let k=b._space=b.space(o,i,c,p,m),T=b._incrs=b.incrs(o,i,c,p,m,k);y=nd(c,p,T,m,k)}return b._found=y}function mr(i,c,p,m,b,y,k,T,C,A){let O=k%2/2;E==1&&f.
translate(O,O),Ki(T,k,C,A,T),f.beginPath();let z,B,ie,le,ee=b+(m==0||m==3?-y:y);p==0?(B=b,le=ee):(z=b,ie=ee);for(let V=0;V<i.length;V++)c[V]!=null&&(p==0?z=ie=i[V]:
B=le=i[V],f.moveTo(z,B),f.lineTo(ie,le));f.stroke(),E==1&&f.translate(-O,-O)}function mc(i){let c=!0;return R.forEach((p,m)=>{if(!p.show)return;let b=S[p.scale];
if(b.min==null){p._show&&(c=!1,p._show=!1,Jn(!1));return}else p._show||(c=!1,p._show=!0,Jn(!1));let y=p.side,k=y%2,{min:T,max:C}=b,[A,O]=dc(m,T,C,k==0?Z:$);if(O==
0)return;let z=b.distr==2,B=p._splits=p.splits(o,m,T,C,A,O,z),ie=b.distr==2?B.map(U=>Et[U]):B,le=b.distr==2?Et[B[1]]-Et[B[0]]:A,ee=p._values=p.values(o,p.filter(
o,ie,m,O,le),m,O,le);p._rotate=y==2?p.rotate(o,ee,m,O):0;let V=p._size;p._size=Ct(p.size(o,ee,m,i)),V!=null&&p._size!=V&&(c=!1)}),c}function hc(i){let c=!0;return Gi.
forEach((p,m)=>{let b=p(o,m,wn,i);b!=on[m]&&(c=!1),on[m]=b}),c}function gc(){for(let i=0;i<R.length;i++){let c=R[i];if(!c.show||!c._show)continue;let p=c.side,m=p%
2,b,y,k=c.stroke(o,i),T=p==0||p==3?-1:1,[C,A]=c._found;if(c.label!=null){let et=c.labelGap*T,pt=qe((c._lpos+et)*se);Bi(c.labelFont[0],k,"center",p==2?"top":fa),
f.save(),m==1?(b=y=0,f.translate(pt,qe(bt+Dt/2)),f.rotate((p==3?-zl:zl)/2)):(b=qe(ut+lt/2),y=pt);let Tn=eu(c.label)?c.label(o,i,C,A):c.label;f.fillText(Tn,b,y),
f.restore()}if(A==0)continue;let O=S[c.scale],z=m==0?lt:Dt,B=m==0?ut:bt,ie=c._splits,le=O.distr==2?ie.map(et=>Et[et]):ie,ee=O.distr==2?Et[ie[1]]-Et[ie[0]]:C,V=c.
ticks,U=c.border,ye=V.show?V.size:0,Ee=qe(ye*se),Ke=qe((c.alignTo==2?c._size-ye-c.gap:c.gap)*se),me=c._rotate*-zl/180,Me=D(c._pos*se),ct=(Ee+Ke)*T,Xe=Me+ct;y=m==
0?Xe:0,b=m==1?Xe:0;let xt=c.font[0],Mt=c.align==1?_o:c.align==2?Qr:me>0?_o:me<0?Qr:m==0?"center":p==3?Qr:_o,Gt=me||m==1?"middle":p==2?"top":fa;Bi(xt,k,Mt,Gt);let ft=c.
font[1]*c.lineGap,wt=ie.map(et=>D(u(et,O,z,B))),Rt=c._values;for(let et=0;et<Rt.length;et++){let pt=Rt[et];if(pt!=null){m==0?b=wt[et]:y=wt[et],pt=""+pt;let Tn=pt.
indexOf(`
`)==-1?[pt]:pt.split(/\n/gm);for(let tt=0;tt<Tn.length;tt++){let gs=Tn[tt];me?(f.save(),f.translate(b,y+tt*ft),f.rotate(me),f.fillText(gs,0,0),f.restore()):f.fillText(
gs,b,y+tt*ft)}}}V.show&&mr(wt,V.filter(o,le,i,A,ee),m,p,Me,Ee,ge(V.width*se,3),V.stroke(o,i),V.dash,V.cap);let Vt=c.grid;Vt.show&&mr(wt,Vt.filter(o,le,i,A,ee),m,
m==0?2:1,m==0?bt:ut,m==0?Dt:lt,ge(Vt.width*se,3),Vt.stroke(o,i),Vt.dash,Vt.cap),U.show&&mr([Me],[1],m==0?1:0,m==0?1:2,m==1?bt:ut,m==1?Dt:lt,ge(U.width*se,3),U.stroke(
o,i),U.dash,U.cap)}Ve("drawAxes")}function Jn(i){w.forEach((c,p)=>{p>0&&(c._paths=null,i&&(l==1?(c.min=null,c.max=null):c.facets.forEach(m=>{m.min=null,m.max=null})))})}
let ml=!1,hr=!1,Lo=[];function _c(){hr=!1;for(let i=0;i<Lo.length;i++)Ve(...Lo[i]);Lo.length=0}function Xn(){ml||(Yf(Ji),ml=!0)}function bc(i,c=!1){ml=!0,hr=c,i(
o),Ji(),c&&Lo.length>0&&queueMicrotask(_c)}o.batch=bc;function Ji(){if(nr&&(uc(),nr=!1),Kn&&(nc(),Kn=!1),al){if(xe(_,_o,_e),xe(_,"top",ze),xe(_,Jo,Z),xe(_,Xo,$),
xe(x,_o,_e),xe(x,"top",ze),xe(x,Jo,Z),xe(x,Xo,$),xe(v,Jo,Zt),xe(v,Xo,_n),g.width=qe(Zt*se),g.height=qe(_n*se),R.forEach(({_el:i,_show:c,_size:p,_pos:m,side:b})=>{
if(i!=null)if(c){let y=b===3||b===0?p:0,k=b%2==1;xe(i,k?"left":"top",m-y),xe(i,k?"width":"height",p),xe(i,k?"top":"left",k?ze:_e),xe(i,k?"height":"width",k?$:Z),
ii(i,qn)}else mt(i,qn)}),fl=Qn=rr=sr=ar=ur=cr=fr=ir=null,rt=1,Fo(!0),_e!=Vn||ze!=bn||Z!=Ht||$!=vn){Jn(!1);let i=Z/Ht,c=$/vn;if(Qe&&!yn&&q.left>=0){q.left*=i,q.top*=
c,eo&&Bt(eo,qe(q.left),0,Z,$),to&&Bt(to,0,qe(q.top),Z,$);for(let p=0;p<yt.length;p++){let m=yt[p];m!=null&&(Yn[p]*=i,Zn[p]*=c,Bt(m,Ct(Yn[p]),Ct(Zn[p]),Z,$))}}if(ve.
show&&!ul&&ve.left>=0&&ve.width>0){ve.left*=i,ve.width*=i,ve.top*=c,ve.height*=c;for(let p in xr)xe(lo,p,ve[p])}Vn=_e,bn=ze,Ht=Z,vn=$}Ve("setSize"),al=!1}Zt>0&&
_n>0&&(f.clearRect(0,0,g.width,g.height),Ve("drawClear"),W.forEach(i=>i()),Ve("draw")),ve.show&&ul&&(hl(ve),ul=!1),Qe&&yn&&(Sn(null,!0,!1),yn=!1),X.show&&X.live&&
vt&&(vr(),vt=!1),d||(d=!0,o.status=1,Ve("ready")),Ao=!1,ml=!1}o.redraw=(i,c)=>{Kn=c||!1,i!==!1?rn(F,P.min,P.max):Xn()};function gr(i,c){let p=S[i];if(p.from==null){
if(Be==0){let m=p.range(o,c.min,c.max,i);c.min=m[0],c.max=m[1]}if(c.min>c.max){let m=c.min;c.min=c.max,c.max=m}if(Be>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)
return;i==F&&p.distr==2&&Be>0&&(c.min=$t(c.min,t[0]),c.max=$t(c.max,t[0]),c.min==c.max&&c.max++),I[i]=c,nr=!0,Xn()}}o.setScale=gr;let _r,br,eo,to,Xi,es,no,oo,ts,
ns,be,Se,ln=!1,je=q.drag,We=je.x,Ge=je.y;Qe&&(q.x&&(_r=Tt(vf,x)),q.y&&(br=Tt(yf,x)),P.ori==0?(eo=_r,to=br):(eo=br,to=_r),be=q.left,Se=q.top);let ve=o.select=$e(
{show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),lo=ve.show?Tt(bf,ve.over?x:_):null;function hl(i,c){if(ve.show){for(let p in i)ve[p]=i[p],p in xr&&xe(
lo,p,i[p]);c!==!1&&Ve("setSelect")}}o.setSelect=hl;function vc(i){if(w[i].show)Fe&&ii(De[i],qn);else if(Fe&&mt(De[i],qn),Qe){let p=jn?yt[0]:yt[i];p!=null&&Bt(p,
-10,-10,Z,$)}}function rn(i,c,p){gr(i,{min:c,max:p})}function Nt(i,c,p,m){c.focus!=null&&Sc(i),c.show!=null&&w.forEach((b,y)=>{y>0&&(i==y||i==null)&&(b.show=c.show,
vc(y),l==2?(rn(b.facets[0].scale,null,null),rn(b.facets[1].scale,null,null)):rn(b.scale,null,null),Xn())}),p!==!1&&Ve("setSeries",i,c),m&&zo("setSeries",o,i,c)}
o.setSeries=Nt;function yc(i,c){$e(j[i],c)}function xc(i,c){i.fill=te(i.fill||null),i.dir=re(i.dir,-1),c=c??j.length,j.splice(c,0,i)}function wc(i){i==null?j.length=
0:j.splice(i,1)}o.addBand=xc,o.setBand=yc,o.delBand=wc;function kc(i,c){w[i].alpha=c,Qe&&yt[i]!=null&&(yt[i].style.opacity=c),Fe&&De[i]&&(De[i].style.opacity=c)}
let Qt,sn,kn,ro={focus:!0};function Sc(i){if(i!=kn){let c=i==null,p=It.alpha!=1;w.forEach((m,b)=>{if(l==1||b>0){let y=c||b==0||b==i;m._focus=c?null:y,p&&kc(b,y?
1:It.alpha)}}),kn=i,p&&Xn()}}Fe&&Bn&&Je(ha,ae,i=>{q._lock||(xn(i),kn!=null&&Nt(null,ro,!0,Le.setSeries))});function Wt(i,c,p){let m=S[c];p&&(i=i/se-(m.ori==1?ze:
_e));let b=Z;m.ori==1&&(b=$,i=b-i),m.dir==-1&&(i=b-i);let y=m._min,k=m._max,T=i/b,C=y+(k-y)*T,A=m.distr;return A==3?yo(10,C):A==4?zf(C,m.asinh):A==100?m.bwd(C):
C}function Tc(i,c){let p=Wt(i,F,c);return $t(p,t[0],Ie,Ne)}o.valToIdx=i=>$t(i,t[0]),o.posToIdx=Tc,o.posToVal=Wt,o.valToPos=(i,c,p)=>S[c].ori==0?r(i,S[c],p?lt:Z,
p?ut:0):s(i,S[c],p?Dt:$,p?bt:0),o.setCursor=(i,c,p)=>{be=i.left,Se=i.top,Sn(null,c,p)};function os(i,c){xe(lo,_o,ve.left=i),xe(lo,Jo,ve.width=c)}function ls(i,c){
xe(lo,"top",ve.top=i),xe(lo,Xo,ve.height=c)}let Oo=P.ori==0?os:ls,$o=P.ori==1?os:ls;function Cc(){if(Fe&&X.live)for(let i=l==2?1:0;i<w.length;i++){if(i==0&&_t)continue;
let c=X.values[i],p=0;for(let m in c)Ut[i][p++].firstChild.nodeValue=c[m]}}function vr(i,c){if(i!=null&&(i.idxs?i.idxs.forEach((p,m)=>{de[m]=p}):If(i.idx)||de.fill(
i.idx),X.idx=de[0]),Fe&&X.live){for(let p=0;p<w.length;p++)(p>0||l==1&&!_t)&&Pc(p,de[p]);Cc()}vt=!1,c!==!1&&Ve("setLegend")}o.setLegend=vr;function Pc(i,c){let p=w[i],
m=i==0&&G==2?Et:t[i],b;_t?b=p.values(o,i,c)??nn:(b=p.value(o,c==null?null:m[c],i,c),b=b==null?nn:{_:b}),X.values[i]=b}function Sn(i,c,p){ts=be,ns=Se,[be,Se]=q.move(
o,be,Se),q.left=be,q.top=Se,Qe&&(eo&&Bt(eo,qe(be),0,Z,$),to&&Bt(to,0,qe(Se),Z,$));let m,b=Ie>Ne;Qt=he,sn=null;let y=P.ori==0?Z:$,k=P.ori==1?Z:$;if(be<0||Be==0||
b){m=q.idx=null;for(let T=0;T<w.length;T++){let C=yt[T];C!=null&&Bt(C,-10,-10,Z,$)}Bn&&Nt(null,ro,!0,i==null&&Le.setSeries),X.live&&(de.fill(m),vt=!0)}else{let T,
C,A;l==1&&(T=P.ori==0?be:Se,C=Wt(T,F),m=q.idx=$t(C,t[0],Ie,Ne),A=L(t[0][m],P,y,0));let O=-10,z=-10,B=0,ie=0,le=!0,ee="",V="";for(let U=l==2?1:0;U<w.length;U++){
let ye=w[U],Ee=de[U],Ke=Ee==null?null:l==1?t[U][Ee]:t[U][1][Ee],me=q.dataIdx(o,U,m,C),Me=me==null?null:l==1?t[U][me]:t[U][1][me];if(vt=vt||Me!=Ke||me!=Ee,de[U]=
me,U>0&&ye.show){let ct=me==null?-10:me==m?A:L(l==1?t[0][me]:t[U][0][me],P,y,0),Xe=Me==null?-10:K(Me,l==1?S[ye.scale]:S[ye.facets[1].scale],k,0);if(Bn&&Me!=null){
let xt=P.ori==1?be:Se,Mt=Ue(It.dist(o,U,me,Xe,xt));if(Mt<Qt){let Gt=It.bias;if(Gt!=0){let ft=Wt(xt,ye.scale),wt=Me>=0?1:-1,Rt=ft>=0?1:-1;Rt==wt&&(Rt==1?Gt==1?Me>=
ft:Me<=ft:Gt==1?Me<=ft:Me>=ft)&&(Qt=Mt,sn=U)}else Qt=Mt,sn=U}}if(vt||jn){let xt,Mt;P.ori==0?(xt=ct,Mt=Xe):(xt=Xe,Mt=ct);let Gt,ft,wt,Rt,Vt,et,pt=!0,Tn=Ze.bbox;if(Tn!=
null){pt=!1;let tt=Tn(o,U);wt=tt.left,Rt=tt.top,Gt=tt.width,ft=tt.height}else wt=xt,Rt=Mt,Gt=ft=Ze.size(o,U);if(et=Ze.fill(o,U),Vt=Ze.stroke(o,U),jn)U==sn&&Qt<=
It.prox&&(O=wt,z=Rt,B=Gt,ie=ft,le=pt,ee=et,V=Vt);else{let tt=yt[U];tt!=null&&(Yn[U]=wt,Zn[U]=Rt,wa(tt,Gt,ft,pt),ya(tt,et,Vt),Bt(tt,Ct(wt),Ct(Rt),Z,$))}}}}if(jn){
let U=It.prox,ye=kn==null?Qt<=U:Qt>U||sn!=kn;if(vt||ye){let Ee=yt[0];Ee!=null&&(Yn[0]=O,Zn[0]=z,wa(Ee,B,ie,le),ya(Ee,ee,V),Bt(Ee,Ct(O),Ct(z),Z,$))}}}if(ve.show&&
ln)if(i!=null){let[T,C]=Le.scales,[A,O]=Le.match,[z,B]=i.cursor.sync.scales,ie=i.cursor.drag;if(We=ie._x,Ge=ie._y,We||Ge){let{left:le,top:ee,width:V,height:U}=i.
select,ye=i.scales[z].ori,Ee=i.posToVal,Ke,me,Me,ct,Xe,xt=T!=null&&A(T,z),Mt=C!=null&&O(C,B);xt&&We?(ye==0?(Ke=le,me=V):(Ke=ee,me=U),Me=S[T],ct=L(Ee(Ke,z),Me,y,
0),Xe=L(Ee(Ke+me,z),Me,y,0),Oo(Ft(ct,Xe),Ue(Xe-ct))):Oo(0,y),Mt&&Ge?(ye==1?(Ke=le,me=V):(Ke=ee,me=U),Me=S[C],ct=K(Ee(Ke,B),Me,k,0),Xe=K(Ee(Ke+me,B),Me,k,0),$o(Ft(
ct,Xe),Ue(Xe-ct))):$o(0,k)}else wr()}else{let T=Ue(ts-Xi),C=Ue(ns-es);if(P.ori==1){let B=T;T=C,C=B}We=je.x&&T>=je.dist,Ge=je.y&&C>=je.dist;let A=je.uni;A!=null?
We&&Ge&&(We=T>=A,Ge=C>=A,!We&&!Ge&&(C>T?Ge=!0:We=!0)):je.x&&je.y&&(We||Ge)&&(We=Ge=!0);let O,z;We&&(P.ori==0?(O=no,z=be):(O=oo,z=Se),Oo(Ft(O,z),Ue(z-O)),Ge||$o(
0,k)),Ge&&(P.ori==1?(O=no,z=be):(O=oo,z=Se),$o(Ft(O,z),Ue(z-O)),We||Oo(0,y)),!We&&!Ge&&(Oo(0,0),$o(0,0))}if(je._x=We,je._y=Ge,i==null){if(p){if(hs!=null){let[T,
C]=Le.scales;Le.values[0]=T!=null?Wt(P.ori==0?be:Se,T):null,Le.values[1]=C!=null?Wt(P.ori==1?be:Se,C):null}zo(Jr,o,be,Se,Z,$,m)}if(Bn){let T=p&&Le.setSeries,C=It.
prox;kn==null?Qt<=C&&Nt(sn,ro,!0,T):Qt>C?Nt(null,ro,!0,T):sn!=kn&&Nt(sn,ro,!0,T)}}vt&&(X.idx=m,vr()),c!==!1&&Ve("setCursor")}let an=null;Object.defineProperty(o,
"rect",{get(){return an==null&&Fo(!1),an}});function Fo(i=!1){i?an=null:(an=x.getBoundingClientRect(),Ve("syncRect",an))}function rs(i,c,p,m,b,y,k){q._lock||ln&&
i!=null&&i.movementX==0&&i.movementY==0||(yr(i,c,p,m,b,y,k,!1,i!=null),i!=null?Sn(null,!0,!0):Sn(c,!0,!1))}function yr(i,c,p,m,b,y,k,T,C){if(an==null&&Fo(!1),xn(
i),i!=null)p=i.clientX-an.left,m=i.clientY-an.top;else{if(p<0||m<0){be=-10,Se=-10;return}let[A,O]=Le.scales,z=c.cursor.sync,[B,ie]=z.values,[le,ee]=z.scales,[V,
U]=Le.match,ye=c.axes[0].side%2==1,Ee=P.ori==0?Z:$,Ke=P.ori==1?Z:$,me=ye?y:b,Me=ye?b:y,ct=ye?m:p,Xe=ye?p:m;if(le!=null?p=V(A,le)?u(B,S[A],Ee,0):-10:p=Ee*(ct/me),
ee!=null?m=U(O,ee)?u(ie,S[O],Ke,0):-10:m=Ke*(Xe/Me),P.ori==1){let xt=p;p=m,m=xt}}C&&(c==null||c.cursor.event.type==Jr)&&((p<=1||p>=Z-1)&&(p=Fn(p,Z)),(m<=1||m>=$-
1)&&(m=Fn(m,$))),T?(Xi=p,es=m,[no,oo]=q.move(o,p,m)):(be=p,Se=m)}let xr={width:0,height:0,left:0,top:0};function wr(){hl(xr,!1)}let is,ss,as,us;function cs(i,c,p,m,b,y,k){
ln=!0,We=Ge=je._x=je._y=!1,yr(i,c,p,m,b,y,k,!0,!1),i!=null&&(Je(Xr,li,fs,!1),zo(da,o,no,oo,Z,$,null));let{left:T,top:C,width:A,height:O}=ve;is=T,ss=C,as=A,us=O}
function fs(i,c,p,m,b,y,k){ln=je._x=je._y=!1,yr(i,c,p,m,b,y,k,!1,!0);let{left:T,top:C,width:A,height:O}=ve,z=A>0||O>0,B=is!=T||ss!=C||as!=A||us!=O;if(z&&B&&hl(ve),
je.setScale&&z&&B){let ie=T,le=A,ee=C,V=O;if(P.ori==1&&(ie=C,le=O,ee=T,V=A),We&&rn(F,Wt(ie,F),Wt(ie+le,F)),Ge)for(let U in S){let ye=S[U];U!=F&&ye.from==null&&ye.
min!=he&&rn(U,Wt(ee+V,U),Wt(ee,U))}wr()}else q.lock&&(q._lock=!q._lock,Sn(c,!0,i!=null));i!=null&&(Gn(Xr,li),zo(Xr,o,be,Se,Z,$,null))}function Dc(i,c,p,m,b,y,k){
if(q._lock)return;xn(i);let T=ln;if(ln){let C=!0,A=!0,O=10,z,B;P.ori==0?(z=We,B=Ge):(z=Ge,B=We),z&&B&&(C=be<=O||be>=Z-O,A=Se<=O||Se>=$-O),z&&C&&(be=be<no?0:Z),B&&
A&&(Se=Se<oo?0:$),Sn(null,!0,!0),ln=!1}be=-10,Se=-10,de.fill(null),Sn(null,!0,!0),T&&(ln=T)}function ps(i,c,p,m,b,y,k){q._lock||(xn(i),lr(),wr(),i!=null&&zo(ga,
o,be,Se,Z,$,null))}function ds(){R.forEach(od),or(o.width,o.height,!0)}Un(ql,vo,ds);let io={};io.mousedown=cs,io.mousemove=rs,io.mouseup=fs,io.dblclick=ps,io.setSeries=
(i,c,p,m)=>{let b=Le.match[2];p=b(o,c,p),p!=-1&&Nt(p,m,!0,!1)},Qe&&(Je(da,x,cs),Je(Jr,x,rs),Je(ma,x,i=>{xn(i),Fo(!1)}),Je(ha,x,Dc),Je(ga,x,ps),pi.add(o),o.syncRect=
Fo);let gl=o.hooks=e.hooks||{};function Ve(i,c,p){hr?Lo.push([i,c,p]):i in gl&&gl[i].forEach(m=>{m.call(null,o,c,p)})}(e.plugins||[]).forEach(i=>{for(let c in i.
hooks)gl[c]=(gl[c]||[]).concat(i.hooks[c])});let ms=(i,c,p)=>p,Le=$e({key:null,setSeries:!1,filters:{pub:Pa,sub:Pa},scales:[F,w[1]?w[1].scale:null],match:[Da,Da,
ms],values:[null,null]},q.sync);Le.match.length==2&&Le.match.push(ms),q.sync=Le;let hs=Le.key,kr=Su(hs);function zo(i,c,p,m,b,y,k){Le.filters.pub(i,c,p,m,b,y,k)&&
kr.pub(i,c,p,m,b,y,k)}kr.sub(o);function Ec(i,c,p,m,b,y,k){Le.filters.sub(i,c,p,m,b,y,k)&&io[i](null,c,p,m,b,y,k)}o.pub=Ec;function Mc(){kr.unsub(o),pi.delete(o),
gn.clear(),si(ql,vo,ds),h.remove(),ae?.remove(),Ve("destroy")}o.destroy=Mc;function Sr(){Ve("init",e,t),Vi(t||e.data,!1),I[F]?gr(F,I[F]):lr(),ul=ve.show&&(ve.width>
0||ve.height>0),yn=vt=!0,or(e.width,e.height)}return w.forEach(Wi),R.forEach(ac),n?n instanceof HTMLElement?(n.appendChild(h),Sr()):n(o,Sr):Sr(),o}He.assign=$e;
He.fmtNum=vi;He.rangeNum=Ul;He.rangeLog=Nl;He.rangeAsinh=_i;He.orient=In;He.pxRatio=se;He.join=jf;He.fmtDate=xi,He.tzDate=rp;He.sync=Su;{He.addGap=Ip,He.clipGaps=
Vl;let e=He.paths={points:Mu};e.linear=Au,e.stepped=Gp,e.bars=Vp,e.spline=Bp}var ld=200,zu="12px system-ui, sans-serif";function qu(e,t){return new He(id(t),rd(t),e)}function rd(e){let t=e.xs.map(l=>l.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(l=>l.values)];let n=t.map(()=>0),o=e.series.map(l=>l.values.map((r,s)=>n[s]=(n[s]??0)+(r??0)));return[t,...o.map((l,r)=>l.map((s,u)=>e.series[r]?.
values[u]?s:null)).toReversed()]}function id(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:ld,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>He.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,o,l)=>sd(e,o,l)},y:{range:(n,o,l)=>[0,l>0?l*1.06:1]}},axes:ad(e),series:[{},...t.map(n=>e.kind==="bars"?pd(e,n):fd(po(`var(--series-${n})`)))],hooks:{setSelect:[
n=>dd(n,e)],setCursor:[n=>md(n,e)]}}}function sd(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Di(e),t+1)]}function Di(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function ad(e){let[t,n]=[po("var(--muted)"),po("var(--hairline)")],o={stroke:t,
font:zu,ticks:{show:!1}},l=e.axis??e.format;return[{...o,size:24,gap:6,grid:{show:!1},space:64,values:(r,s)=>cd(s,e)},{...o,gap:8,size:(r,s)=>ud(r,s),grid:{stroke:n,
width:1},space:40,values:(r,s)=>s.map(u=>u===0?"0":l(u))}]}function ud(e,t){e.ctx.save(),e.ctx.font=zu;let n=Math.max(0,...(t??[]).map(o=>e.ctx.measureText(o).width));
return e.ctx.restore(),Math.ceil(n)+16}function cd(e,t){let n=(e[1]??0)-(e[0]??0),o=(r,s)=>new Date(s*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...r}),l=r=>o({day:"numeric",month:"short"},r);return n>=28*86400?e.map(r=>o({month:"short",year:"numeric"},r)):n>=86400?e.map(l):e.map(r=>{let s=o({hour:"2-\
digit",minute:"2-digit"},r);return s==="00:00"?l(r):s})}function fd(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Ei({xs:e,until:t,grain:n},o){
let l=e[o];return l!==void 0&&l.getTime()+Di({xs:e,grain:n})*1e3>t.getTime()}function pd(e,t){let[n,o]=[po(`var(--series-${t})`),po(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],l=e.xs.map((r,s)=>Ei(e,s)?o:n);return{fill:n,width:0,points:{show:!1},paths:He.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>l}}})}}function dd(e,t){if(e.select.width<8)return;let n=o=>new Date(e.posToVal(o,"x")*1e3);t.onZoom(Fu(n(e.select.left),t),Fu(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function Fu(e,t,n=!1){let o=t.xs.findLastIndex(r=>r<=e);o<0&&(o=0);let l=t.xs[o]??e;return n?t.xs[o+
1]??new Date(l.getTime()+Di(t)*1e3):l}function md(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let o=t.kind==="bars"?t.xs.findLastIndex(l=>l.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(o<0?null:{index:o,left:n+e.bbox.left/devicePixelRatio+8})}function zt(e){let{label:t,columns:n,rows:o,id:l,selected:r,onOpen:s}=e,[u,d]=J(()=>vd(e.sorted)),h=yd(o,n,u),g=n.some(f=>f.sum!==void 0);return a("div",{class:"\
scroll",tabIndex:0,role:"region","aria-label":t,children:a("table",{children:[a("thead",{children:a("tr",{children:n.map(f=>a(hd,{column:f,order:u,onOrder:d},f.
key))})}),a("tbody",{children:h.map(f=>a(gd,{row:f,columns:n,selected:r!==void 0&&r===l(f),onOpen:s},l(f)))}),g&&a("tfoot",{children:a("tr",{children:n.map(f=>a(
"td",{class:Yl(f),children:f.sum},f.key))})})]})})}function Yl(e){return e.num?"num":e.wrap?"wrap":void 0}function hd({column:e,order:t,onOrder:n}){let o=t?.key===
e.key?t:null;if(!e.sort)return a("th",{scope:"col",class:Yl(e),title:e.hint,children:e.title});let l={key:e.key,down:o?!o.down:e.num===!0};return a("th",{scope:"\
col",class:Yl(e),title:e.hint,"aria-sort":o?o.down?"descending":"ascending":"none",children:a("button",{type:"button",onClick:()=>n(l),children:[o&&a("span",{"a\
ria-hidden":"true",children:o.down?"↓":"↑"}),a("span",{children:e.title})]})})}function gd({row:e,columns:t,selected:n,onOpen:o}){let l=t.map(r=>a("td",{class:Yl(
r),children:r.cell(e)},r.key));return o?a("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:r=>_d(r)&&o(e),onKeyDown:r=>bd(r,()=>o(e)),children:l}):a("tr",
{children:l})}function _d(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function bd(e,t){let n=e.
currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let o=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:null;
if(e.key==="Enter")t();else if(o instanceof HTMLElement)o.focus();else return;e.preventDefault()}function vd(e){return e===void 0?null:e.startsWith("-")?{key:e.
slice(1),down:!0}:{key:e,down:!1}}function yd(e,t,n){let o=t.find(r=>r.key===n?.key)?.sort;if(!o||!n)return e;let l=n.down?-1:1;return e.toSorted((r,s)=>{let[u,
d]=[o(r),o(s)];return l*(typeof u=="string"?u.localeCompare(String(d)):u-Number(d))})}function Zl({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return a(
"svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[a("rect",{width:"96",height:"8",rx:"1"}),a("rect",{width:n,height:"8",rx:"1"})]})}function rl(e){let[t,n]=J(!1),{zone:o}=ue();return a("section",{class:"panel","aria-label":e.title,children:[a("header",{children:[a("h2",{children:e.title}),a(
"span",{class:"muted small",children:o}),a("div",{class:"rest",children:[e.tools,a("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":
"Table"})]})]}),e.note,t?a(xd,{...e,zone:o}):a(wd,{...e,zone:o})]})}function ll(e,{grain:t,zone:n}){return t==="hour"?`${El(e,n)} ${fn(e,n)}`:t==="day"?El(e,n):
e.toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function xd(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Mon\
th",cell:n=>ll(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:o=>Uu(n.values[o],e),sort:o=>n.values[o]??
-1});return a(zt,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,o)=>o),id:String,sorted:"-at"})}function Uu(e,{format:t}){return e==null?"–":t(e)}function wd(e){
let{series:t,onPick:n}=e,o=Tl(()=>ta(t.map(l=>l.name)).map((l,r)=>t[r]?.slot??l),[t]);return a(pe,{children:[a("div",{class:"legend",children:t.map((l,r)=>n&&l.
name!==fo?a("button",{title:`Only ${l.label??l.name}`,type:"button",onClick:()=>n?.(l.name),children:[a(Mi,{slot:o[r]??8}),l.label??l.name]},l.name):a("span",{children:[
a(Mi,{slot:o[r]??8}),l.label??l.name]},l.name))}),a(kd,{...e,slots:o})]})}function Mi({slot:e}){return a("i",{style:{background:`var(--series-${e})`}})}function kd(e){
let t=At(null),[n,o]=J(null),[l,r]=J(0);return Te(()=>{let s=()=>r(u=>u+1);return Zo.addEventListener("scheme",s),()=>Zo.removeEventListener("scheme",s)},[]),Te(
()=>{let s=t.current;if(!s)return;let u={...e,width:s.clientWidth-16,onPoint:o,onZoom:Sd},d=qu(s,u),h=new ResizeObserver(()=>d.setSize({width:s.clientWidth-16,height:d.
height}));return h.observe(s),()=>{h.disconnect(),d.destroy()}},[e.xs,e.series,e.kind,e.zone,l]),a("div",{class:"plot",ref:t,role:"img","aria-label":Cd(e),children:n&&
a(Td,{...e,...n})})}function Sd(e,t){Pe({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function Td(e){let{series:t,slots:n,
index:o,left:l,xs:r,kind:s}=e,u=t.map((f,v)=>({one:f,slot:n[v]??8,value:f.values[o]??null})).filter(({value:f})=>f!==null&&(s==="lines"||f!==0)),d=r[o];if(!d)return null;
let h=u.reduce((f,{value:v})=>f+(v??0),0),g=l>320;return a("div",{class:"tip","aria-hidden":"true",style:g?{right:`calc(100% - ${l-12}px)`}:{left:`${l+12}px`},children:[
a("div",{children:[a("strong",{children:ll(d,e)}),s==="bars"&&a("b",{children:e.format(h)})]}),u.map(({one:f,slot:v,value:_})=>a("div",{children:[a(Mi,{slot:v}),
f.label??f.name,a("b",{children:Uu(_,e)})]},f.name)),Ei(e,o)&&a("div",{class:"muted",children:"not over yet"})]})}function Cd(e){let{title:t,xs:n,series:o,kind:l}=e,
[r,s]=[n[0],n[n.length-1]];if(!r||!s)return`${t}: nothing`;let u=n.map((h,g)=>l==="bars"?o.reduce((f,v)=>f+(v.values[g]??0),0):Math.max(0,...o.map(f=>f.values[g]??
0))),d=u.indexOf(Math.max(...u));return`${t}, ${ll(r,e)} to ${ll(s,e)}, highest ${e.format(u[d]??0)} on ${ll(n[d]??s,e)}`}function qt({of:e,empty:t,isEmpty:n,children:o}){let{data:l,error:r,loading:s}=e;if(l===null)return r?a(il,{error:r,retry:e.reload}):a(Ql,{shown:s});let u=t!==void 0&&
n?.(l)===!0;return a(pe,{children:[r&&a(Pd,{of:e,error:r}),s&&a(Ql,{shown:!0}),a("div",{class:s?"old":void 0,children:u?a("div",{class:"state",children:t}):o(l)})]})}
function Ql({shown:e}){return e?a("div",{role:"status",children:[a("div",{class:"loading"}),a("span",{class:"unseen",children:"Loading"})]}):null}function Pd({of:e,
error:t}){let{zone:n}=ue();return a("div",{class:"row state small",role:"status",children:[a("span",{class:"warn",children:["Could not refresh",e.at?`: this is \
from ${fn(e.at,n)}`:"","."]}),a("span",{children:t.message}),a("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function il({error:e,retry:t}){
return a("div",{class:"state",role:"alert",children:[a("strong",{children:Dd(e)}),a("span",{children:e.message}),e.status>=500&&a("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&a("button",{onClick:t,children:"Try again"})]})}function Dd({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function Hu({children:e}){return a("dl",{class:"panel tiles",children:e})}function Po({label:e,figure:t,hint:n,tone:o="",children:l}){return a("div",{class:"til\
e",children:[a("dt",{children:e}),a("dd",{class:`figure ${o}`,title:n,children:t}),a("dd",{class:"note",children:l})]})}function Iu(){let{params:e}=dt(),t={period:Jt(e),team:e.get("team")??""},n=Ae("GET /admin/v1/usage",{query:{by:"model",...Do(t)}});return a(go,{title:"Overview",
period:!0,team:!0,of:n,children:[a(Ed,{about:t,totals:n}),a(Ad,{}),a($d,{about:t,by:e.get("by")??"model"}),t.team===""&&a(zd,{about:t}),a(qd,{about:t})]})}function Do({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function jt(e,t){return e.reduce((n,o)=>n+t(o),0)}function Ed({about:e,totals:t}){
let{zone:n}=ue(),o=Ae("GET /admin/v1/usage",{query:{by:"model",...Do({...e,period:Ml(e.period,n)})}}),l=Ae("GET /admin/v1/latency",{query:{by:"all",...Do({...e,
team:""})}}),r=Ae("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),s=o.data?jt(o.data.data,u=>u.cost_nanodollars):0;return a("section",{"a\
ria-label":"Figures",children:a(qt,{of:t,children:({data:u})=>{let d=jt(u,_=>_.cost_nanodollars),h=jt(u,_=>_.input_tokens+_.output_tokens),g=jt(u,_=>_.attempts),
f=l.data?.data[0],v=Md((r.data?.data??[]).map(_=>_.own_us));return a(Hu,{children:[a(Po,{label:"Cost",figure:kt(d),hint:it(d),children:No(d,s)?`${No(d,s)} on th\
e span before`:"nothing in the span before"}),a(Po,{label:"Requests",figure:Ce(jt(u,_=>_.requests)),children:e.team?St(g,"call"):`${Ln(f?.failed??0,f?.calls??0)}\
 of ${St(f?.calls??0,"call")} failed`}),a(Po,{label:"Tokens",figure:An(h),hint:Ce(h),children:[Ln(jt(u,_=>_.cache_read_tokens),jt(u,_=>_.input_tokens))," of pro\
mpts from caches"]}),a(Po,{label:"First token, p95",figure:st(f?.first.p95_us??null),children:v===null?"no requests yet":`Weir’s own part ${st(v)}`}),a(Rd,{rows:u})]})}})})}
function Md(e){let t=e.toSorted((n,o)=>n-o);return t[Math.floor(t.length/2)]??null}function Rd({rows:e}){let[t,n,o]=[jt(e,r=>r.orphaned),jt(e,r=>r.in_doubt),jt(
e,r=>r.estimated)],l=t+n;return a(Po,{label:"Ledger",figure:l===0?"Complete":St(l,"open row"),tone:l===0?"":"warn",children:[St(o,"estimated row"),l>0&&`, ${Ce(
t)} orphaned, ${Ce(n)} in doubt`]})}function Ad(){let{zone:e}=ue(),t=Ae("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Ld));return n.size===0?null:
a("section",{class:"stack","aria-label":"Troubles",children:[...n].map(([o,l])=>a("div",{class:"panel alert",children:[a("span",{class:"mono",children:o}),a("sp\
an",{class:"warn",children:["breaker ",l.breaker,l.open_until?` until ${fn(new Date(l.open_until),e)}`:""]}),a("a",{href:Ye("/providers"),children:"Providers"})]},
o))})}function Ld(e){return e.targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var Od=["model","team","key","provider"];function $d({about:e,
by:t}){let{zone:n}=ue(),o=Ko(e.period,n),l={query:{by:`${t},${o}`,...Do(e)}},r=Ae("GET /admin/v1/usage",l),s=a(pe,{children:[a(ho,{label:"Divide by",value:t,options:Od.
map(u=>({value:u,label:u})),onChange:u=>Pe({by:u==="model"?null:u})}),a(Lt,{list:!0,route:"GET /admin/v1/usage",asked:l,command:`weir usage --by ${t},${o} --sin\
ce ${e.period.since}`})]});return a(qt,{of:r,children:({data:u,since:d,until:h})=>{let g=Bo(new Date(d),new Date(h),o,n),f=Rl({rows:u,xs:g,zone:n,group:v=>$n(v,
t),value:v=>v.cost_nanodollars});return a(rl,{title:`Cost per ${o}, by ${t}`,kind:"bars",grain:o,xs:g,until:new Date,series:f,format:kt,axis:Dl,tools:s,onPick:v=>Pe(
Fd(t,v))})}})}function Fd(e,t){return e==="team"?{team:t}:{[e]:t}}function zd({about:e}){let{zone:t}=ue(),n=Ko(e.period,t)==="hour"?"hour":"day",o={query:{by:n,
...Do({...e,team:""})}},l=Ae("GET /admin/v1/latency",o);return a(qt,{of:l,children:({data:r,since:s,until:u})=>{let d=Bo(new Date(s),new Date(u),n,t);return a(rl,
{title:`Time of calls per ${n}`,kind:"lines",grain:n,xs:d,until:new Date,series:na(r,d,"took"),format:st,axis:Zs,tools:a(Lt,{list:!0,route:"GET /admin/v1/latenc\
y",asked:o})})}})}function qd({about:e}){let{zone:t}=ue(),n={query:{by:"key",top:50,...Do(e)}},o=Ae("GET /admin/v1/usage",n);return a("section",{class:"panel","\
aria-label":"Keys by cost",children:[a("header",{children:[a("h2",{children:"Keys by cost"}),a("span",{class:"muted small",children:co(e.period,t)}),a("div",{class:"\
rest",children:a(Lt,{list:!0,route:"GET /admin/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),a(qt,{of:o,isEmpty:({data:l})=>l.
length===0,empty:a(Ri,{}),children:({data:l})=>a(zt,{label:"Keys by cost",columns:Ud(l),rows:l,id:r=>r.key??"",sorted:"-cost"})})]})}function Ud(e){let t=Math.max(
0,...e.map(n=>n.cost_nanodollars));return[{key:"key",title:"Key",cell:n=>a("a",{href:Ye("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.
key||""},{key:"cost",title:"Cost",num:!0,cell:n=>a("span",{title:it(n.cost_nanodollars),children:kt(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"shar\
e",title:"",cell:n=>a(Zl,{part:n.cost_nanodollars,whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>Ce(n.requests),sort:n=>n.requests},{key:"input",title:"\
Tokens in",num:!0,cell:n=>Ce(n.input_tokens),sort:n=>n.input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>Ce(n.output_tokens),sort:n=>n.output_tokens},
{key:"cached",title:"From caches",num:!0,cell:n=>Ln(n.cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function Ri(){
return a(pe,{children:[a("strong",{children:"No request in this span"}),a("span",{children:"Make a key and call a model with it:"}),a("pre",{class:"code",children:`\
weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}var Nu={rows:null,next:null,searched:null,loading:!0,error:null};function Wu(e,t){let n=JSON.stringify(t),[o,l]=J(Nu),r=At(null),s=so((u,d)=>{r.current?.abort();
let{signal:h}=r.current=new AbortController;l(f=>({...f,loading:!0,error:null}));let g={...JSON.parse(n),...u!==null&&{cursor:u}};Mn("GET",ao(e,{query:g}),void 0,
h).then(f=>l(Hd(d,f))).catch(f=>{h.aborted||l(v=>({...v,loading:!1,error:Rn(f)}))})},[e,n]);return Te(()=>(l(Nu),s(null,[]),()=>r.current?.abort()),[s]),{...o,more:()=>s(
o.next,o.rows??[])}}function Hd(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}function Gu({title:e,onClose:t,aside:n,children:o}){let l=At(null);return Te(()=>{l.current?.showModal()},[]),a("dialog",{ref:l,class:n?"aside":void 0,"aria-lab\
el":e,onClose:t,onClick:r=>r.target===l.current&&l.current?.close(),children:a("div",{class:"dialog",children:[a("div",{class:"row",children:[a("h2",{children:e}),
a("button",{class:"quiet rest",onClick:()=>l.current?.close(),children:"Close"})]}),o]})})}function Vu(e){return[{key:"started",title:"Time",cell:t=>a(Ai,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>a(Oi,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>a(Jl,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>st(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>st(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${Ce(t.input_tokens)} → ${Ce(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider \
did not say"},{key:"cost",title:"Cost",num:!0,cell:t=>a(Li,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Ai({at:e,zone:t}){let n=new Date(
e);return a("time",{dateTime:e,title:ea(n),children:Xs(n,t)})}function Li({nanodollars:e}){return a("span",{title:it(e),children:kt(e,4)})}function Oi({provider:e,
upstream:t}){return a("span",{class:"mono",children:[e,"/",t]})}function Jl({status:e,outcome:t,attempts:n=1}){let o=e==="ok"?"good":e==="failed"?"bad":"warn",l=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return a("span",{children:[a("span",{class:o,children:l}),n>1&&a("span",{class:"muted",children:[" ",n," tries"]})]})}function Ku({id:e,onClose:t}){let n={path:{request:e}},o=Ae("GET /admin/v1/requests/{request}",n);return a(Gu,{aside:!0,title:"Request",onClose:t,children:[a("d\
iv",{class:"row",children:[a("span",{class:"mono",children:e}),a(mo,{text:e,label:"Copy id"}),a(Lt,{route:"GET /admin/v1/requests/{request}",asked:n,command:`we\
ir requests ${Xt(e)}`})]}),a(qt,{of:o,children:l=>a(Id,{request:l})})]})}function Id({request:e}){let t=e.trail.filter(o=>o.adjusts===null),n=e.trail.filter(o=>o.
adjusts!==null);return a("div",{class:"stack",children:[a(Nd,{request:e}),a("section",{class:"stack","aria-label":"Calls",children:[a("h3",{children:[St(t.length,
"call")," in ",St(e.attempts,"attempt")]}),t.map(o=>a(Wd,{call:o,request:e},o.seq))]}),n.length>0&&a(Bd,{calls:n}),a(jd,{request:e})]})}function Nd({request:e}){
let{zone:t}=ue(),n=[["Status",a(Jl,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",a(Ai,{at:e.started,zone:t})],["Key",a("a",{href:Ye("/reque\
sts",{key:e.key}),children:e.key_name||e.key})],["Model",a("a",{href:Ye("/requests",{model:e.model}),children:e.model})],["Took",st(e.took_us)+(e.first_us===null?
"":`, first token after ${st(e.first_us)}`)],["Weir’s own part",st(e.own_us)],["Tokens",`${Ce(e.input_tokens)} in, ${Ce(e.output_tokens)} out${e.estimated?", \
counted by Weir in part":""}`],["Cost",it(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",a("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(Xl).join(", ")]),a("dl",{class:"pairs",children:n.map(([o,l])=>[
a("dt",{children:o}),a("dd",{children:l})])})}function Xl(e){return e.replaceAll("_"," ")}function Wd({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return a("div",{class:"panel",children:[a("header",{children:[a("span",{class:"muted",children:e.try}),a(Oi,{...e}),a("div",{class:"re\
st wide",children:[a(Jl,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),a(Li,{nanodollars:e.cost_nanodollars})]})]}),a("div",{class:"body stack",children:[
a(Vd,{after:n,call:e,whole:t.took_us}),a("p",{class:"small muted",children:[e.call>0&&`after ${st(n)}, `,"took ",st(e.took_us),e.first_us!==null&&`, first token\
 ${st(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(Xl).join(", ")}`,`, tokens ${Gd[e.source]}`]}),a(Kd,{call:e}),e.upstream_id!==
null&&a("p",{class:"small",children:[a("span",{class:"muted",children:"The provider calls it "}),a("span",{class:"mono",children:e.upstream_id}),a(mo,{text:e.upstream_id})]})]})]})}
var Gd={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function Vd({after:e,call:t,whole:n}){let o=u=>n>
0?Math.min(Math.max(u,0),n)/n*400:0,[l,r]=[o(e),o(e+t.took_us)],s=t.first_us===null?r:o(e+t.first_us);return a("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[a("rect",{width:"400",height:"8",class:"rail"}),a("rect",{x:l,width:Math.max(s-l,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),a("rect",{x:s,width:Math.max(r-s,0),height:"8",class:"flow"})]})}function Kd({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:a("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>Xl(n.class)},{key:"units",title:"Units",num:!0,cell:n=>Ce(n.units)},{key:"price",title:"Each mi\
llion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":it(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>it(n.units*n.price/1e3),sum:it(e.listed_nanodollars)}];
return a(pe,{children:[a(zt,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&a("p",{class:"small muted",children:[
"by the price ",a("span",{class:"mono",children:e.price})]})]})}function Bd({calls:e}){let{zone:t}=ue();return a("section",{class:"stack","aria-label":"Correcti\
ons",children:[a("h3",{children:"Corrections"}),e.map(n=>a("p",{children:[uo(new Date(n.started),t),": ",it(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function jd({
request:e}){let[t,n]=J(!1),o={query:{model:e.model,key:e.key}},l=Ae("GET /admin/v1/explain",t?o:null);return a("section",{class:"stack","aria-label":"Explained \
again",children:[a("div",{class:"row",children:[a("h3",{children:"What would it meet now?"}),a("button",{onClick:()=>t?l.reload():n(!0),children:"Explain again \
now"}),a(mo,{text:`weir explain ${Xt(e.model)} --key ${Xt(e.key_name||e.key)}`,label:"Copy command"})]}),t&&a(qt,{of:l,children:r=>a(Yd,{explanation:r})})]})}function Yd({
explanation:e}){let t=e.plans.flatMap(o=>o.targets.map(l=>({...l,route:o.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:o=>o.turn??"–"},{key:"target",title:"\
Target",cell:o=>a("span",{class:"mono",children:o.target})},{key:"model",title:"For",cell:o=>o.route},{key:"skip",title:"",wrap:!0,cell:o=>o.skip===null?o.breaker===
"closed"?"":a("span",{class:"warn",children:["breaker ",o.breaker]}):a("span",{class:"warn",children:["skipped: ",o.barred??Xl(o.skip)]})}];return a(pe,{children:[
e.refused!==null&&a("p",{class:"bad",children:["It would be refused: ",e.refused]}),a(zt,{label:"Targets in the order of trying",columns:n,rows:t,id:o=>o.route+
o.target})]})}function Bu({query:e}){return a("p",{children:JSON.stringify(e)})}var $i=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function ju(){let{params:e}=dt(),t=e.get("live")!==null,n=e.get("request"),o=Jt(e),l=Zd(e,{since:o.since,...o.until&&{until:o.
until}});return a(go,{title:"Requests",period:!t,team:!0,tools:a(ho,{label:"What is shown",value:t?"live":"found",options:[{value:"found",label:"Found"},{value:"\
live",label:"Live"}],onChange:r=>Pe({live:r==="live"?"1":null})}),children:[a(Jd,{live:t},e.toString()),t?a(Bu,{query:l}):a(em,{query:l,opened:n}),n!==null&&a(Ku,
{id:n,onClose:()=>Pe({request:null})},n)]})}function Zd(e,t){let n={...t};for(let[l]of $i){let r=e.get(l);r&&(n[l]=r)}let o=Number(e.get("dearer"));return o>0&&
(n.min_cost_nanodollars=Math.round(o*1e9)),n}function Qd(e){let t=$i.filter(([n])=>e[n]!==void 0).map(([n,o])=>`--${o} ${Xt(String(e[n]))}`);e.min_cost_nanodollars&&
t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of["since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function Jd({
live:e}){let{params:t}=dt(),{models:n,providers:o}=ue(),l=Ae("GET /admin/v1/keys",{query:{limit:1e3}}),r=[...$i.map(([x])=>x),"dearer"].filter(x=>x!=="team"),[s,
u]=J(()=>Object.fromEntries(r.map(x=>[x,t.get(x)??""]))),[d,h]=J(""),g=r.some(x=>t.get(x)),f=x=>E=>u({...s,[x]:E}),v=(x={})=>Pe({...s,...x,...d.trim()&&{request:d.
trim()}}),_=(x,E,D,M={})=>a(dn,{label:E,value:s[x]??"",onInput:f(x),size:D,...M});return a("form",{class:"filters many",onSubmit:x=>{x.preventDefault(),v()},onChange:x=>x.
target instanceof HTMLInputElement&&v(),children:[_("key","Key",12,{list:(l.data?.data??[]).map(x=>x.name)}),_("model","Model",10,{list:n}),_("provider","Provid\
er",10,{list:o}),!e&&a(pe,{children:[a(Kt,{label:"Status",value:s.status??"",options:["","ok","failed","canceled"].map(x=>({value:x,label:x||"any"})),onChange:x=>v(
{status:x})}),_("outcome","Outcome",10,{list:Xd}),_("min_took","Slower than",7,{placeholder:"10s"}),_("dearer","Dearer than, $",7,{placeholder:"0.05"})]}),_("ta\
g","Tag",10,{placeholder:"name=value"}),!e&&a(dn,{label:"Id",value:d,onInput:h,size:12,placeholder:"req_…"}),a("button",{class:"unseen",type:"submit",children:"\
Find"}),g&&a("button",{type:"button",class:"quiet",onClick:()=>Pe(Object.fromEntries(r.map(x=>[x,null]))),children:"Clear"})]})}var Xd=["ok","unreachable","time\
out","failed","malformed","overloaded","rate_limited","credential","denied","misconfigured","model_not_found","too_long","refused","moderated","canceled","lost",
"budget"];function em({query:e,opened:t}){let{zone:n}=ue(),o=Wu("GET /admin/v1/requests",e),{rows:l,loading:r,error:s,searched:u,next:d}=o;return a("section",{class:"\
panel","aria-label":"Requests found",children:[a("header",{children:[a("h2",{children:l===null?"Requests":`${St(l.length,"request")}${d===null?"":" so far"}`}),
a("span",{class:"muted small",children:n}),a("div",{class:"rest",children:a(Lt,{list:!0,route:"GET /admin/v1/requests",asked:{query:{...e,limit:1e3}},command:Qd(
e)})})]}),a(Ql,{shown:r}),l!==null&&l.length>0&&a(zt,{label:"Requests",columns:Vu(n),rows:l,id:h=>h.request,selected:t,onOpen:h=>Pe({request:h.request})}),s&&a(
il,{error:s,retry:o.more}),l!==null&&!s&&a("div",{class:"state small",children:[l.length===0&&d===null&&a("strong",{children:"No request is like this"}),a("div",
{class:"row",children:[a("span",{children:u?`Searched back to ${uo(u,n)}.`:"That is all there is in this period."}),d!==null&&a("button",{disabled:r,onClick:o.more,
children:"Search further back"})]})]})]})}var qi=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:kt,axis:Dl},{name:"requests",title:"Requests",of:e=>e.requests,format:Ce,axis:An},{name:"token\
s",title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:Ce,axis:An},{name:"calls",title:"Calls",of:e=>e.attempts,format:Ce,axis:An}],er=["model","team","k\
ey","provider","tag"],Fi=500;function Yu(){let{zone:e}=ue(),t=tm(dt().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...Hi(t)}},o=Ae("GET /admin\
/v1/usage",n);return a(go,{title:"Usage",period:!0,team:!0,of:o,children:[a(nm,{question:t}),a(om,{question:t}),a("section",{class:"panel","aria-label":"Sums",children:[
a("header",{children:[a("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),a("span",{class:"muted small",children:co(t.period,e)}),a("div",{
class:"rest",children:a(Lt,{list:!0,route:"GET /admin/v1/usage",asked:n,command:Zu(n.query)})})]}),a(qt,{of:o,isEmpty:({data:l})=>l.length===0,empty:a(Ri,{}),children:({
data:l})=>a(lm,{rows:l,question:t})})]})]})}function tm(e,t){let n=Jt(e),o=er.find(d=>d===e.get("by"))??"model",l=er.find(d=>d===e.get("then")&&d!==o)??"",r=Ko(
n,t),s=["hour","day","month"].find(d=>d===e.get("grain"))??(o==="tag"&&r==="hour"?"day":r),u={};for(let d of["key","team","model"]){let h=e.get(d);h&&(u[d]=h)}return{
by:o,then:l,grain:s,period:n,filters:u,metric:qi.find(d=>d.name===e.get("metric"))??qi[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function Hi({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function Zu(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${Xt(n)}`)].
join(" ")}function zi(e){return e.map(t=>({value:t,label:t||"–"}))}function nm({question:e}){let{by:t,then:n,metric:o,grain:l,filters:r}=e,s=["",...er].filter(
u=>u!==t&&(t!=="tag"||u===""||u==="key")&&(u!=="tag"||t==="key"));return a("div",{class:"filters",children:[a(Kt,{label:"Group by",value:t,options:zi(er),onChange:u=>Pe(
{by:u,then:null})}),a(Kt,{label:"then by",value:n,options:zi(s),onChange:u=>Pe({then:u})}),a(Kt,{label:"Figure",value:o.name,options:qi.map(u=>({value:u.name,label:u.
title})),onChange:u=>Pe({metric:u==="cost"?null:u})}),a(Kt,{label:"Per",value:l,options:zi(t==="tag"?["day","month"]:["hour","day","month"]),onChange:u=>Pe({grain:u})}),
a(jr,{label:"Compare with the span before",checked:e.compare,onChange:u=>Pe({compare:u?"1":null})}),a(jr,{label:"Classes of tokens",checked:e.classes,onChange:u=>Pe(
{classes:u?"1":null})}),["key","model"].map(u=>r[u]!==void 0&&a("button",{type:"button",onClick:()=>Pe({[u]:null}),title:"Take this filter out",children:[u,": ",
r[u]," ✕"]},u))]})}function om({question:e}){let{zone:t}=ue(),{by:n,grain:o,metric:l}=e,r={query:{by:`${n},${o}`,...Hi(e)}},s=Ae("GET /admin/v1/usage",r);return a(
qt,{of:s,children:({data:u,since:d,until:h})=>{let g=Bo(new Date(d),new Date(h),o,t),f=Rl({rows:u,xs:g,zone:t,group:v=>$n(v,n),value:l.of});return a(rl,{title:`${l.
title} per ${o}, by ${n}`,kind:"bars",grain:o,xs:g,until:new Date,series:f,format:l.format,axis:l.axis,tools:a(Lt,{list:!0,route:"GET /admin/v1/usage",asked:r,command:Zu(
r.query)}),...Qu(n)&&{onPick:v=>Pe({[n]:v})}})}})}function Qu(e){return e==="key"||e==="team"||e==="model"}function lm({rows:e,question:t}){let{zone:n}=ue(),{by:o,
then:l,period:r,compare:s,metric:u}=t,d=Ae("GET /admin/v1/usage",s?{query:{by:[o,l].filter(Boolean).join(","),...Hi({...t,period:Ml(r,n)})}}:null),h=s?new Map((d.
data?.data??[]).map(f=>[Ui(f,t),f])):null,g=e.toSorted((f,v)=>u.of(v)-u.of(f)).slice(0,Fi);return a(pe,{children:[a(zt,{label:"Sums",columns:rm(t,e,h),rows:g,id:f=>Ui(
f,t),sorted:`-${u.name}`},`${o}.${l}.${u.name}`),e.length>Fi&&a("p",{class:"state small",children:["The first ",Ce(Fi)," of ",St(e.length,"line"),". The CSV has\
 all."]})]})}function Ui(e,{by:t,then:n}){return JSON.stringify([t,n].map(o=>o===""?"":e[o]))}function rm(e,t,n){let{by:o,then:l,metric:r,classes:s}=e,u=f=>t.reduce(
(v,_)=>v+f(_),0),d=Math.max(0,...t.map(r.of)),h=(f,v,_)=>({key:f,title:v,num:!0,cell:x=>Ce(_(x)),sort:_,sum:Ce(u(_))}),g=[o,l].filter(Boolean).map((f,v)=>im(f,v===
0));return g.push({key:"cost",title:"Cost",num:!0,cell:f=>a("span",{title:it(f.cost_nanodollars),children:[f.estimated>0&&"~ ",kt(f.cost_nanodollars)]}),sort:f=>f.
cost_nanodollars,sum:a("span",{title:it(u(f=>f.cost_nanodollars)),children:[u(f=>f.estimated)>0&&"~ ",kt(u(f=>f.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"",cell:f=>a(Zl,{part:r.of(f),whole:d})}),n&&g.push(am(e,n)),g.push(h("requests","Requests",f=>f.requests),h("calls","\
Calls",f=>f.attempts),h("tokens","Tokens",f=>f.input_tokens+f.output_tokens)),s?g.push(h("fresh","Fresh",f=>f.input_tokens-f.cache_read_tokens-f.cache_write_tokens),
h("read","From caches",f=>f.cache_read_tokens),h("write","Into caches",f=>f.cache_write_tokens),h("output","Output",f=>f.output_tokens),h("reasoning","of it rea\
soning",f=>f.reasoning_tokens)):g.push({key:"cached",title:"From caches",num:!0,cell:f=>Ln(f.cache_read_tokens,f.input_tokens),sort:f=>f.input_tokens?f.cache_read_tokens/
f.input_tokens:0,sum:Ln(u(f=>f.cache_read_tokens),u(f=>f.input_tokens))}),g}function im(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:o=>a(
"a",{href:sm(o,e),children:$n(o,e)}),sort:o=>$n(o,e),...t&&{sum:"All"}}}function sm(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":$n(e,t);return Qu(t)&&n!==
""?oa({[t]:n}):Ye("/requests",{[t]:n})}function am({metric:e,...t},n){let o=l=>{let r=n.get(Ui(l,{metric:e,...t}));return r?e.of(r):0};return{key:"before",title:"\
Span before",num:!0,cell:l=>a("span",{title:No(e.of(l),o(l)),children:e.format(o(l))}),sort:o,sum:e.format([...n.values()].reduce((l,r)=>l+e.of(r),0))}}var Eo=[{path:"/",title:"Overview",group:"",page:Iu},{path:"/usage",title:"Usage",group:"",page:Yu},{path:"/requests",title:"Requests",group:"",page:ju}];var um=12;function Ju(){let[e,t]=J(""),[n,o]=J(!1),[l,r]=J(0),s=At(null),u=cm(e.trim(),n);fm(s);let d=f=>{f&&(o(!1),t(""),s.current?.blur(),Al(f.href))},h=f=>{if(f.
key==="ArrowDown")r(Math.min(l+1,u.length-1));else if(f.key==="ArrowUp")r(Math.max(l-1,0));else if(f.key==="Enter")d(u[l]);else if(f.key==="Escape")o(!1);else return;
f.preventDefault()},g=n&&u.length>0;return a("div",{class:"search",role:"search",children:[a("input",{ref:s,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":g,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":g?`hit-${l}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:f=>{t(f.currentTarget.value),o(!0),r(0)},onFocus:()=>o(!0),onBlur:()=>o(!1),onKeyDown:h}),a("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!g,children:u.map((f,v)=>a("li",{id:`hit-${v}`,role:"option","aria-selected":v===l,onMouseDown:_=>{_.preventDefault(),d(f)},children:[
a("span",{children:f.name}),a("span",{class:"muted small",children:f.kind})]},f.href))})]})}function cm(e,t){let{models:n}=ue(),o=Ae("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:Ye("/requests",{request:e})}];let l=s=>s.toLowerCase().includes(e.toLowerCase()),
r=n.filter(l).map(s=>({kind:"model",name:s,href:Ye("/requests",{model:s})}));for(let s of o.data?.data??[])(l(s.name)||s.id===e)&&r.push({kind:"key",name:s.name,
href:Ye("/requests",{key:s.id})});return r.slice(0,um)}function fm(e){Te(()=>{let t=n=>{let o=n.target instanceof HTMLElement&&n.target.matches("input, textarea\
, select");n.key!=="/"||o||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function tr(){return a("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[a("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),a("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function Xu({onLeave:e}){let{path:t}=dt(),[n,o]=J(!1);Te(()=>o(!1),[t]);let l=Eo.find(s=>s.path===t),r=()=>{Bs().finally(e)};return a(pe,{children:[a(
"a",{class:"skip",href:"#page",children:"To the page"}),a("div",{class:"shell",children:[a("div",{class:"bar",children:[a("a",{class:"brand",href:Ye("/"),children:[
a(tr,{}),"Weir"]}),a("button",{class:"rest","aria-expanded":n,onClick:()=>o(!n),children:"Menu"})]}),a(dm,{shown:n,path:t,onLeave:r}),a("div",{class:"content",children:[
a(pm,{onLeave:r}),a("main",{id:"page",tabIndex:-1,children:l?a(l.page,{}):a(hm,{})})]})]})]})}function pm({onLeave:e}){let{session:t,zone:n}=ue();return t.via!==
"token"?null:a("div",{class:"banner",role:"note",children:[a("span",{children:["Signed in with the admin token, until ",fn(new Date(t.expires),n),"."]}),a("butt\
on",{class:"quiet",onClick:e,children:"Sign out"})]})}function dm({shown:e,path:t,onLeave:n}){let{session:o}=ue(),l=[...new Set(Eo.map(r=>r.group))];return a("d\
iv",{class:e?"side shown":"side",children:[a("a",{class:"brand",href:Ye("/"),children:[a(tr,{}),"Weir"]}),a(Ju,{}),a("nav",{"aria-label":"Pages",children:l.map(
r=>a("div",{children:[r!==""&&a("p",{children:r}),Eo.filter(s=>s.group===r).map(s=>a("a",{href:Ye(s.path),"aria-current":s.path===t?"page":void 0,children:s.title},
s.path))]},r))}),a("div",{class:"foot",children:[a(mm,{}),o.via!=="token"&&a("button",{class:"quiet",onClick:n,children:"Sign out"})]})]})}function mm(){let[e,t]=J(
Ll),n=o=>{let l=aa.find(r=>r===o)??"system";ua(l),t(l)};return Te(()=>Yo(e),[]),a(ho,{label:"Colour scheme",value:e,options:[{value:"light",label:"Light"},{value:"\
dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}function hm(){return a(pe,{children:[a("h1",{children:"There is no such page"}),a("p",{children:a(
"a",{href:Ye("/"),children:"Overview"})})]})}function ec({onSession:e}){let[t,n]=J(""),[o,l]=J(!1),[r,s]=J(null);return Te(()=>{document.title="Sign in · Weir"},[]),a("main",{class:"login",children:[a("h1",
{class:"row",children:[a(tr,{}),"Weir"]}),a("form",{onSubmit:d=>{d.preventDefault(),l(!0),Ks(t.trim()).then(e,h=>s(Rn(h))).finally(()=>l(!1))},children:[a(dn,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:r?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),a("div",{class:"row",children:a("button",{class:"primary",disabled:o||t.trim()==="",children:"Sign in"})})]})]})}function gm(){let[e,t]=J({is:"asking"}),n=so(o=>{o.then(_m).then(l=>t({is:"in",known:l}),l=>{let r=Rn(l);t(r.status===401?{is:"out"}:{is:"failed",error:r})})},[]);
switch(Te(()=>{let o=()=>t({is:"out"});return Cl.addEventListener("ended",o),n(Ir()),()=>Cl.removeEventListener("ended",o)},[]),e.is){case"asking":return null;case"\
out":return a(ec,{onSession:o=>n(Promise.resolve(o))});case"failed":return a("main",{class:"login",children:a(il,{error:e.error,retry:()=>n(Ir())})});case"in":return a(
Hr.Provider,{value:e.known,children:a(Xu,{onLeave:()=>t({is:"out"})})})}}async function _m(e){let t=await Pl("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers}}Yo(Ll());la(Eo.map(e=>e.path));Es(a(gm,{}),document.body);
