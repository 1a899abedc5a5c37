var ve,Ma,bp,$n,_i,ns,Ra,Jr,qa,ki,vi,Aa,fr=Symbol.for("pv"),os={},rs=[],yp=/^m(i|n|o|s|text|space)$/,xi=Array.isArray,$a=rs.slice,io=Object.assign;function so(e){
e&&e.parentNode&&e.remove()}function Xr(e,t,n,o,s){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:fr,__v:s||++Ma,__i:-1,__u:0};return!s&&ve.vnode&&ve.
vnode(i),i}function R(e){return e.children}function es(e,t){this.props=e,this.context=t,this.__g=0}function Ln(e,t){if(t==null)return e.__&&Ln(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ln(e)}function _p(e){var t,n=e.__v,o=n.__e,s=[],i=[],l=e.__P;
l&&((t=io({constructor:fr},n)).__v=n.__v+1,ve.vnode&&ve.vnode(t),Ti(l,t,n,e.__n,l.namespaceURI,32&n.__u?[o]:null,s,o||Ln(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=
t,Ia(s,t,i),n.__=n.__e=null,t.__e!=o&&La(t))}function La(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
La(e)}function wi(e){(8&e.__g||(e.__g|=8,$n.push(e),ns++))&&_i==ve.debounceRendering||((_i=ve.debounceRendering)||queueMicrotask)(Oa)}function Oa(){try{for(var e,
t=1;$n.length;)$n.length>t&&$n.sort(Ra),e=$n.shift(),t=$n.length,8&e.__g&&_p(e)}finally{(ns=$n.length)&&(_i||queueMicrotask)(Oa)}}function Fa(e,t,n,o,s,i,l,a,d,p,h){
var m,y,b,w,D,C,M=o.__k||rs,k=t.length;for(d=vp(n,t,M,d,k),m=0;m<k;m++)(b=n.__k[m])!=null&&(y=~b.__i&&M[b.__i]||os,b.__i=m,C=Ti(e,b,y,s,i,l,a,d,p,h),w=b.__e,(y.
ref!=b.ref||8&y.__u)&&(y.ref&&Si(y.ref,null,b,y),b.ref&&h.push(b.ref,b.__c||w,b)),D=D||w,4&b.__u?(d=Ka(b,d,e,!y.__v),y.__e&&(y.__e=null)):typeof b.type=="functi\
on"&&C!==void 0?d=C:w&&(d=w.nextSibling),b.__u&=-21);return n.__e=D,d}function vp(e,t,n,o,s){var i,l,a,d,p,h,m,y,b,w=n.length,D=w,C=0,M=0,k=e.__k=Array(s);for(i=
0;i<s;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=k[i]=Xr(null,l):xi(l)?l=k[i]=Xr(R,{children:l}):
l.constructor===fr&&l.__b?l=k[i]=Xr(l.type,l.props,l.key,l.ref,l.__v):k[i]=l,d=i+C,l.__=e,l.__b=e.__b+1,a=null,~(p=l.__i=wp(l,n,d,D))&&(D--,(a=n[p])&&(a.__u|=2)),
a&&a.__v?(l.__u|=16,p==d-1?C--:p==d+1?C++:p!=d&&(p>d?C--:C++,M=1)):(~p||(s>w?C--:s<w&&C++),typeof l.type!="function"&&(l.__u|=4))):k[i]=null;if(M){for(h=[],m=[],
i=0;i<s;i++)if((l=k[i])&&16&l.__u){for(C=0,y=h.length;C<y;)h[b=C+y>>1]<l.__i?C=b+1:y=b;h[C]=l.__i,m[i]=C+1}for(C=h.length;i--;)m[i]&&(m[i]==C?C--:k[i].__u|=4)}if(D)
for(i=0;i<w;i++)!(a=n[i])||2&a.__u||(a.__e==o&&(o=Ln(a)),Ci(a,a));return o}function Ka(e,t,n,o){var s,i,l,a;if(typeof e.type=="function"){if(e.props.__P)return t;
if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&(s[i].__=e,t=Ka(s[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ln(e))&&!t.parentNode&&(t=null),l=e.__e,a=t;a&&a.nodeType==
8;)a=a.nextSibling;for(l!=a&&(!o&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function wp(e,t,n,o){var s,i=e.key,l=e.type,a=t[n],d=a&&!(2&a.__u);if(a===null&&i==null||d&&i==a.key&&l==a.type)return n;if(o>(d?1:0)){for(s=n-1;s>=0;s--)if((a=
t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s}return-1}function Da(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Qr(e,t,n,o,s){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)n&&t in n||Da(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Da(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(l=vi[t]||(vi[t]=kp(t)),(e.__a||(e.__a={}))[t]=ki,i=t!=(t=t.replace(qa,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,l,i):e.removeEventListener(t,l,i));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function kp(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[Jr]==null)t[Jr]=ki++;else if(t[Jr]<this.__a[e])return;return n(ve.event?ve.event(t):t)}}}function Ti(e,t,n,o,s,i,l,a,d,p){
var h,m,y,b,w,D,C,M,k,q,T,X,F,ee,V,re,W,P,Y=t.type;if(t.constructor!==fr)return null;128&n.__u&&(d=32&n.__u,h=n.__c.__z)&&(t.__u|=d,m=i=[],h.nodeType==8?a=ts(h,
i):i.push(h),a=i[0]||a),(h=ve.__b)&&h(t);e:if(typeof Y=="function"){y=l.length;try{if(M=t.props,k=(h=Y.prototype)&&h.render,q=(h=Y.contextType)&&o[h.__c],T=h?q?
q.props.value:h.__:o,(b=n.__c)?(t.__c=b,2&b.__g&&(b.__g|=1)):(k?t.__c=b=new Y(M,T):(t.__c=b=new es(M,T),b.constructor=Y,b.render=Tp),q&&q.sub(b),b.state||(b.state=
{}),b.__n=o,b.__g|=8,b.__h=[],b.__k=[]),k&&(b.__s||(b.__s=b.state),Y.getDerivedStateFromProps&&(b.__s==b.state&&(b.__s=io({},b.__s)),io(b.__s,Y.getDerivedStateFromProps(
M,b.__s)))),w=b.props,D=b.state,b.__v=t,n.__c){if(M!==w&&k&&!Y.getDerivedStateFromProps&&b.componentWillReceiveProps&&b.componentWillReceiveProps(M,T),t.__v==n.
__v&&!(8&b.__g)||!(4&b.__g)&&b.shouldComponentUpdate&&b.shouldComponentUpdate(M,b.__s,T)===!1){t.__v!=n.__v&&(b.props=M,b.state=b.__s,b.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function($){$&&($.__=t)}),rs.push.apply(b.__h,b.__k),b.__k=[],b.__h.length&&l.push(b),a=Ln(n);break e}b.componentWillUpdate&&b.componentWillUpdate(
M,b.__s,T),k&&b.componentDidUpdate&&b.__h.push(function(){b.componentDidUpdate(w,D,C)})}else k&&!Y.getDerivedStateFromProps&&b.componentWillMount&&b.componentWillMount(),
k&&b.componentDidMount&&b.__h.push(b.componentDidMount);b.context=T,b.props=M,b.__P=e,b.__g&=-5,X=ve.__r,F=k?25:0;do b.__g&=-9,X&&X(t),h=b.render(b.props,b.state=
b.__s,b.context);while(8&b.__g&&++F<25);k&&(rs.push.apply(b.__h,b.__k),b.__k=[]),b.state=b.__s,b.getChildContext&&(o=io({},o,b.getChildContext())),k&&n.__c&&b.getSnapshotBeforeUpdate&&
(C=b.getSnapshotBeforeUpdate(w,D)),ee=h&&h.type===R&&h.key==null?h.props.children:h,M.__P&&(h=a,s=(e=M.__P).namespaceURI,d=i=null,n.props&&n.props.__P!=e&&(n.__k.
some(function($){$&&Ci($,$)}),n.__k=null),a=n.__k?Ln(n,0):null),a=Fa(e,xi(ee)?ee:[ee],t,n,o,s,i,l,a,d,p),M.__P&&(t.__e=null,a=h),t.__u&=-161,m&&m.some(so),b.__h.
length&&l.push(b),1&b.__g&&(b.__g&=-4)}catch($){if(l.length=y,t.__v=null,d||i)if($&&$.then){if(t.__u|=128|d,i){for(~(W=i.indexOf(a||void 0))||(W=i.length);(P=i[W-
1])&&P.nodeType==8;)W--;for(;W<i.length;W++)if(P=i[W])if(i[W]=null,V){if(P==re)break}else{if(P.nodeType!=8)break;P.data.startsWith("$s")&&(re=ts(V=P))}}if(!V){for(;a&&
a.nodeType==8&&a.nextSibling;)a=a.nextSibling;V=a}(h=ts(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,a=h):t.__e=a,a=a&&a.nextSibling}else i&&i.some(so);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),$&&$.then||Na(t),ve.__e($,t,n)}}else a=t.__e=xp(n.__e,t,n,o,s,i,l,d,p,e);return(h=ve.diffed)&&h(t),a}function ts(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Na(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Na))}function Ia(e,t,n){for(var o=0;o<n.length;)Si(n[o++],n[o++],n[o++]);ve.__c&&ve.__c(t,e),e.some(
function(s){try{e=s.__h,s.__h=[],e.some(function(i){i.call(s)})}catch(i){ve.__e(i,s.__v)}})}function xp(e,t,n,o,s,i,l,a,d,p){var h,m,y,b,w,D,C,M,k=n.props||os,q=t.
props,T=t.type;if(T=="svg"?s="http://www.w3.org/2000/svg":T=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),i){for(h=0;h<i.
length;h++)if((w=i[h])&&(T?w.localName==T:w.nodeType==3)){e=w,i[h]=null;break}}if(!e){if(M=p.ownerDocument||document,!T)return M.createTextNode(q);e=M.createElementNS(
s,T,q.is?q:p),a&&(ve.__m&&ve.__m(t,i),a=!1),i=null}if(T){if(p=T=="template"&&e.content||e,i=T=="textarea"&&q.defaultValue!=null?null:i&&$a.call(p.childNodes),!a&&
i)for(k={},h=0;h<e.attributes.length;h++)k[(w=e.attributes[h]).name]=w.value;for(h in k)w=k[h],h=="dangerouslySetInnerHTML"?y=w:h=="children"||h in q||h=="value"&&
"defaultValue"in q||h=="checked"&&"defaultChecked"in q||Qr(e,h,null,w,s);for(h in q)w=q[h],h=="children"?b=w:h=="dangerouslySetInnerHTML"?m=w:h=="value"?D=w:h==
"checked"?C=w:a&&typeof w!="function"||k[h]===w||Qr(e,h,w,k[h],s);m?(a||y&&(m.__html==y.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(y&&(e.
textContent=""),(T=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&yp.test(T))&&(s="http://www.w3.org/1999/xhtml"),Fa(p,xi(b)?b:[b],t,n,o,s,i,l,i?i[0]:
n.__k&&Ln(n,0),a,d),i&&i.some(so)),a&&T!="textarea"||(h="value",T=="progress"&&D==null?e.removeAttribute(h):D==null||D===e[h]&&(T!="progress"||D)||Qr(e,h,D,k[h],
s),h="checked",C!=null&&C!=e[h]&&Qr(e,h,C,k[h],s))}else k===q||a&&e.data==q||(e.data=q);return e}function Si(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&
(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){ve.__e(s,n)}}function Ci(e,t,n){var o,s,i,l;if(ve.unmount&&ve.unmount(
e),!(o=e.ref)||o.current&&o.current!=e.__e||Si(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){ve.__e(a,t)}o.__P=o.__n=null}
if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&Ci(o[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=ts(o,i=[]))&&(o==e.__e&&i.some(so),so(
s),so(o)),n||so(e.__e),e.__e=e.__c=e.__=null}function Tp(e,t,n){return this.constructor(e,n)}function za(e,t){var n,o,s,i;ve.__&&ve.__(e,t),t.nodeType==9&&(t=t.
documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Xr(R,{children:[e]}),s=[],i=[],Ti(t,t.__k,o||os,os,t.namespaceURI,o?null:t.firstChild?$a.call(t.childNodes):
null,s,o?o.__e:t.firstChild,n,i),Ia(s,t.__k,i),t.__k.props.children=null}function Ua(e){function t(n){var o,s;return this.getChildContext||(o=new Set,(s={})[t.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(i){this.props.value!=i.value&&o.forEach(function(l){l.__g|=4,wi(l)})},this.sub=function(i){o.add(i);var l=i.componentWillUnmount;i.componentWillUnmount=
function(){o.delete(i),l&&l.call(i)}}),n.children}return t.__c="__cC"+Aa++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}ve={__e:function(e,t,n,o){for(var s,i,l;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((l=(i=s.constructor)&&i.getDerivedStateFromError)&&s.setState(i.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),l=1),l&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw ns=0,e}},Ma=0,bp=function(e){return e!=null&&e.
constructor===fr},es.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=io({},this.state)),typeof e=="function"&&(e=e(io({},n),this.props)),
e&&(io(n,e),this.__v&&(t&&this.__k.push(t),wi(this)))},es.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),wi(this))},es.prototype.render=
R,$n=[],ns=0,Ra=function(e,t){return e.__v.__b-t.__v.__b},Jr=Symbol(),qa=/(PointerCapture)$|Capture$/i,ki=0,vi={},Aa=0;var lo,Ie,Ei,Ga,Pi=Object.is,hr=0,Ja=[],Di=[],We=ve,Ha=We.__b,Wa=We.__r,Ba=We.diffed,ja=We.__c,Va=We.unmount,Ya=We.__;function br(e,t){We.__h&&We.__h(Ie,e,hr||t),
hr=0;var n=Ie.__H||(Ie.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function N(e){return hr=1,Sp(tu,e)}function Sp(e,t,n){var o=br(lo++,2);if(o.
t=e,!o.__c&&(o.__=[n?n(t):tu(void 0,t),function(i){var l=(o.__N||o.__)[0],a=o.t(l,i);Pi(l,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=Ie,!Ie.__f)){Ie.__f=
!0;var s=Ie.shouldComponentUpdate;Ie.shouldComponentUpdate=function(i,l,a){var d=this.__H;if(!d)return!0;var p=!1,h=this.props!=i;if(d.__.some(function(y){y.__N&&
(p=!0,Pi(y.__[0],y.__N[0])||(h=!0))}),s){var m=s.call(this,i,l,a);return p?m||h:m}return!p||h}}return o.__}function ge(e,t){var n=br(lo++,3);!We.__s&&eu(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Ie.__H.__h.push(n))}function At(e){return hr=5,ss(function(){return{current:e}},[])}function ss(e,t){var n=br(lo++,7);return eu(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Fo(e,t){return hr=8,ss(function(){return e},t)}function Xa(e){var t=Ie.context[e.
__c],n=br(lo++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Ie)),t.props.value):e.__}function is(){var e=br(lo++,11);if(!e.__){for(var t=Ie.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Cp(){var e;
do{for(;e=Di.shift();)try{gr(e)}catch(n){We.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ja.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(gr),t.__h.some(Mi),t.__h=[]}catch(n){
t.__h=[],We.__e(n,e.__v)}}}while(Di.length)}We.__b=function(e){Ie=null,Ha&&Ha(e)},We.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ya&&Ya(e,t)},We.__r=
function(e){Wa&&Wa(e),lo=0;var t=(Ie=e.__c).__H;t&&(Ei==Ie?Ie.__h=[]:(t.__h.some(gr),t.__h.some(Mi),lo=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Ei=Ie},We.diffed=function(e){Ba&&Ba(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Qa(Ja.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ei=
Ie=null},We.__c=function(e,t){t.some(function(n){try{n.__h.some(gr),n.__h=n.__h.filter(function(o){return!o.__||Mi(o)})}catch(o){n.__h=[function(){throw o}]}}),
ja&&ja(e,t)},We.unmount=function(e){Va&&Va(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Qa(Di.push(s))}else gr(s)}catch(i){t=i}}),o.__H=void 0,t&&We.__e(t,o.__v))};var Za=typeof requestAnimationFrame=="function";
function Ep(e){var t,n=function(){clearTimeout(o),Za&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Za&&(t=requestAnimationFrame(n))}function Qa(e){
e!=1&&Ga==We.requestAnimationFrame||((Ga=We.requestAnimationFrame)||Ep)(Cp)}function gr(e){var t=Ie,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Ie=t}function Mi(e){
var t=Ie;e.__c=e.__(),Ie=t}function eu(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Pi(n,e[o])})}function tu(e,t){return typeof t=="function"?
t(e):t}var nu={"POST /admin/v1/adjustments":"costs.correct","GET /admin/v1/attempts":"requests.read","GET /admin/v1/backup":"store.copy","GET /admin/v1/config":"config\
.read","GET /admin/v1/explain":"models.read","POST /admin/v1/explain":"models.read","GET /admin/v1/keys":"keys.read","POST /admin/v1/keys":"keys.write","GET /ad\
min/v1/keys/{key}":"keys.read","PATCH /admin/v1/keys/{key}":"keys.write","DELETE /admin/v1/keys/{key}":"keys.write","POST /admin/v1/keys/{key}/rotate":"keys.wri\
te","GET /admin/v1/latency":"usage.read","GET /admin/v1/limits":"usage.read","GET /admin/v1/models":"models.read","GET /admin/v1/openapi.json":"session.own","PO\
ST /admin/v1/reload":"config.reload","GET /admin/v1/requests":"requests.read","GET /admin/v1/requests/{request}":"requests.read","GET /admin/v1/running":"reques\
ts.read","DELETE /admin/v1/running/{request}":"requests.cut","GET /admin/v1/session":"session.own","POST /admin/v1/session":"","DELETE /admin/v1/session":"sessi\
on.own","GET /admin/v1/teams":"teams.read","POST /admin/v1/teams":"teams.write","GET /admin/v1/teams/{team}":"teams.read","PATCH /admin/v1/teams/{team}":"teams.\
write","DELETE /admin/v1/teams/{team}":"teams.write","GET /admin/v1/usage":"usage.read","GET /admin/v1/verify":"ledger.verify","GET /healthz":"","GET /metrics":"",
"GET /readyz":""};var vn=class extends Error{constructor(n,o,s,i=null){super(s);this.status=n;this.code=o;this.param=i}status;code;param},ls=new EventTarget;async function rt(e,t={},n){
let[o="GET"]=e.split(" ");return await Ri(o,Ko(e,t),t.body,n)}function Ko(e,t={},n={}){let s=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(a,d)=>encodeURIComponent(
t.path?.[d]??"")),i=new URLSearchParams;for(let[a,d]of Object.entries({...t.query,...n}))d!==void 0&&d!==""&&i.set(a,String(d));let l=i.toString();return l===""?
s:s+"?"+l}function ou(e,t={}){return Ko(e,t,{format:"csv"})}async function Ri(e,t,n,o){let s={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};o&&(s.signal=o),n!==void 0&&(s.body=JSON.stringify(n),s.headers={accept:"application/json","content-type":"application/json"});let i=await fetch(t,s).catch(
l=>{throw l instanceof DOMException&&l.name==="AbortError"?l:new vn(0,"unreachable","Weir does not answer at this address.")});if(i.ok)return i.status===204?void 0:
i.json();throw await Pp(i)}async function Pp(e){e.status===401&&ls.dispatchEvent(new Event("ended"));let t=await e.json().catch(()=>null),n=Dp(t)?t.error:null;return new vn(
e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}function Dp(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="\
object"&&e.error!==null&&"message"in e.error}var Mp=150,Rp=6e4,qi=new EventTarget;function as(){qi.dispatchEvent(new Event("refresh"))}function j(e,t){let n=t===null?"":JSON.stringify([e,t]),[o,s]=N(null),
[i,l]=N(null),[a,d]=N(!1),[p,h]=N(null),m=At(""),y=At(null),b=Fo(()=>{if(y.current?.abort(),n==="")return;let{signal:w}=y.current=new AbortController,D=setTimeout(
()=>d(!0),Mp),[,C]=JSON.parse(n);rt(e,C,w).then(M=>{m.current=n,s(M),l(null),h(new Date)}).catch(M=>{w.aborted||(m.current!==n&&s(null),l(Xt(M)))}).finally(()=>{
clearTimeout(D),w.aborted||d(!1)})},[n]);return ge(()=>{b();let w=setInterval(()=>document.hidden||b(),Rp);return qi.addEventListener("refresh",b),()=>{y.current?.
abort(),clearInterval(w),qi.removeEventListener("refresh",b)}},[b]),{data:o,error:i,loading:a,at:p,reload:b}}function Xt(e){return e instanceof vn?e:new vn(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Ai=Ua(null);function I(){let e=Xa(Ai);if(!e)throw new Error("no session");return e}function wn(e){return I().session.permissions.includes(nu[e])}function $i(){
return rt("GET /admin/v1/session")}function ru(e){return rt("POST /admin/v1/session",{body:{token:e}})}async function su(){await rt("DELETE /admin/v1/session")}function au(e){if(!/^\s*(\$\s*)?curl\s/.test(e))return{body:iu(e),key:null};let t=Lp(e),n=Ap(t);if(n===null)throw new Error("The command sends no body: there is\
 no -d, --data or --json in it.");if(/^@/.test(n))throw new Error(`The body is in the file ${n.slice(1)}: paste what is in it.`);return{body:iu(n),key:qp(e)}}function uu(e){
return e.replace(/(sk-weir-[A-Za-z0-9]{12})-[A-Za-z0-9_-]+/g,"$1-…").replace(/((?:bearer|x-api-key:|api-key:)\s+)(?!sk-weir-)[^\s'"$]+/gi,"$1…")}function qp(e){
return/sk-weir-([A-Za-z0-9]{12})-/.exec(e)?.[1]??null}function iu(e){let t=JSON.parse(e);if(typeof t!="object"||t===null||Array.isArray(t))throw new Error("A re\
quest is a JSON object: it begins with {.");return t}var lu=["--data","--data-raw","--data-binary","--data-ascii","--json"];function Ap(e){let t=[];return e.forEach(
(n,o)=>{let s=lu.find(i=>n.startsWith(i+"="));n==="-d"||lu.includes(n)?t.push(e[o+1]??""):s!==void 0?t.push(n.slice(s.length+1)):/^-d./.test(n)&&t.push(n.slice(
2))}),t.length===0?null:t.join(e.some(n=>/^--json/.test(n))?"":"&")}var $p={n:`
`,t:"	",r:"\r"};function Lp(e){let t=[],n=/\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/gy,o=null,s=0;for(let i of e.
matchAll(n)){let[l,a,d,p,h,m]=i;if(s=i.index+l.length,l.startsWith(`\\
`)||l.startsWith("\\\r"))continue;let y=a?.replace(/\\([^])/g,(b,w)=>$p[w]??w)??d??p?.replace(/\\(["\\$`])/g,"$1")??h??m;y!==void 0?o=(o??"")+y:o!==null&&(t.push(
o),o=null)}if(s<e.length)throw new Error("A quotation mark of the command is not closed.");return o===null?t:[...t,o]}var Op=1000000000n;function ye(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let o=n<
0n?"−":"",s=n<0n?-n:n,i=s===0n?t:Math.max(t,Fp(s)),l=10n**BigInt(9-i),a=(s+l/2n)/l,d=10n**BigInt(i),p=i===0?"":"."+(a%d).toString().padStart(i,"0");return`${o}\
$${cu(a/d)}${p}`}function Fp(e){return e>=Op/100n?0:Math.min(9,9-e.toString().length+2)}function Le(e){if(Math.round(e)===0)return"$0.00";let t=ye(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function No(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+en(t):ye(e,t!==0&&Math.abs(t)<10?2:0)}
function cu(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function B(e){return cu(BigInt(Math.round(e))).replace("-","−")}function en(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let o=e/(n==="k"?1e3:t);return`${du(o)} ${n}`}return B(e)}function du(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function Ct(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function yr(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${du(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function Ue(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function pu(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function Me(e,t,n=t+"s"){return`${B(e)} ${e===1?t:n}`}var Kp=["since","until","team"],Li=new Set;function _r(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function ue(){let[e,t]=N(_r);
return ge(()=>{let n=()=>t(_r());return Li.add(n),addEventListener("popstate",n),()=>{Li.delete(n),removeEventListener("popstate",n)}},[]),e}function On(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Li.forEach(o=>o())}function te(e,t=!1){
let{path:n,params:o}=_r();On(n+Fi(Oi(o,e)),t)}function vr(e){let{path:t,params:n}=_r();return t+Fi(Oi(n,e))}function ne(e,t={}){let n=new URLSearchParams;for(let o of Kp){
let s=_r().params.get(o);s!==null&&n.set(o,s)}return e+Fi(Oi(n,t))}function Oi(e,t){for(let[n,o]of Object.entries(t))o===null||o===""?e.delete(n):e.set(n,o);return e}
function Fi(e){let t=e.toString();return t===""?"":"?"+t}function mu(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e(n.pathname)&&(t.preventDefault(),On(n.pathname+n.search))})}var fu=new Map;function Io(e,t,n){let o=e+t,s=fu.get(o);return s||fu.set(o,s=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),s}function wr(e,t){
return Io(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function pn(e,t){return Io(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Fn(e,t){return Io(t,"day",{day:"numeric",month:"short"}).format(e)}function hu(e,t){return`${Fn(e,t)} ${wr(e,t)}`}function ht(e,t){return Io(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function us(e,t){return Io(t,"date",{day:"numeric",month:"\
short",year:"numeric"}).format(e)}function $t(e,t=new Date){let n=t.getTime()-e.getTime();return n<0?`${e.toISOString()}, in ${kn(-n)}`:`${e.toISOString()}, ${kn(
n)} ago`}function kn(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],o=n.findIndex(([s])=>t>=s);return o<0?"0 s":n.slice(o,
o+2).map(([s,i],l)=>[Math.floor((l===0?t:t%(n[o]?.[0]??1))/s),i]).filter(([s])=>s>0).map(([s,i])=>`${s} ${i}`).join(" ")}function Ki(e,t){let n=Object.fromEntries(
Io(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(s=>[s.type,Number(s.value)]));
return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function Lt(e,t){let n=Date.parse(e.length===10?e+"T00:00Z":e+"Z"),
o=n-Ki(n,t);return new Date(n-Ki(o,t))}function Et(e,t){return new Date(e.getTime()+Ki(e.getTime(),t)).toISOString().slice(0,16)}function bt(e){return{since:e.get(
"since")??"7d",until:e.get("until")??""}}function kr(e,t=new Date){let n=Et(t,e).slice(0,10),o=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",until:""},
{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 days",since:"\
90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:o,until:""},{label:"Last month",since:Np(o),until:o}]}function Np(e){let t=new Date(e+
"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var Ip={m:6e4,h:36e5,d:864e5,w:7*864e5};function xr(e,t,n=new Date){return{from:gu(
e.since,t,n),to:e.until===""?n:gu(e.until,t,n)}}function gu(e,t,n){let o=/^(\d+)([mhdw])$/.exec(e);return o?new Date(n.getTime()-Number(o[1])*(Ip[o[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?Lt(e,t):new Date(e)}function cs(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:o,to:s}=xr(e,t,n);return{since:new Date(
2*o.getTime()-s.getTime()).toISOString(),until:o.toISOString()}}function ao(e,t){let{from:n,to:o}=xr(e,t),s=(o.getTime()-n.getTime())/864e5;return s<=8?"hour":s<=
400?"day":"month"}function mn(e,t){let n=kr(t).find(i=>i.since===e.since&&i.until===e.until);if(n)return n.label;let{from:o,to:s}=xr(e,t);return`${ht(o,t)} – ${e.
until===""?"now":ht(s,t)}`}var zp={no_images:"it reads no images",no_audio:"it takes no audio",no_files:"it reads no files",no_tools:"it calls no tools",no_schema:"it does not answer by a\
 schema",no_prefill:"it does not go on with an answer that was begun",prompt_too_long:"the prompt is too long for it",no_endpoint:"its provider does not have th\
is endpoint, or no such model",unsendable:"something in the request has no place there, or would be lost, which strict mode forbids",down:"it failed too often, \
and another request is probing whether it is well",full:"it has as many requests as it may have",no_credential:"its provider refused all credentials",budget:"a \
budget has no room for a call there",no_price:"what it costs is unknown, and a budget in dollars applies"};function bu(e,t){switch(!0){case e.skip!==null:return Up(
e,e.skip,t);case e.probe:return"it failed before: this request would probe whether it is well";case e.resting_until!==null:return`it asked to be left alone for \
another ${Ni(e.resting_until,t)}`;case e.last:return"it fails for other keys: it is tried when no other target, and no fallback, is left";case e.refused_for.length>
0:return`its provider refused all credentials for ${e.refused_for.join(", ")}`;case e.down_for.length>0:return`it failed too often for ${e.down_for.join(", ")}`;case e.
credentials_free_at!==null:return"no credential is free; one is tried all the same";default:return""}}function Up(e,t,n){return t==="down"&&e.open_until!==null?
`it failed too often; its breaker is open for another ${Ni(e.open_until,n)}`:t==="full"&&e.full_until!==null?`it has as many requests as its vendor allows a min\
ute, for another ${Ni(e.full_until,n)}`:e.barred??zp[t]}function Ni(e,t){return kn(Math.max(1e3,new Date(e??t).getTime()-t.getTime()))}var Gp=Symbol.for("pv"),Hp=0;function r(e,t,n,o,s,i){t||(t={});var l,a,d=t;if("ref"in d&&typeof e!="function")for(a in d={},t)a=="ref"?l=t[a]:d[a]=t[a];var p={type:e,props:d,key:n,ref:l,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Gp,__v:--Hp,__i:-1,__u:0};return(s||i)&&(p.__source=s,p.__self=i),ve.vnode&&ve.vnode(p),p}function yt({text:e,label:t="Copy",primary:n}){let[o,s]=N("");return ge(()=>{let l=setTimeout(()=>s(""),1500);return()=>clearTimeout(l)},[o]),r("button",{type:"\
button",class:n?"primary":"quiet",onClick:()=>{let l=navigator.clipboard;(l?l.writeText(e):Promise.reject(new Error)).then(()=>s("Copied"),()=>s("Not allowed"))},
children:[o||t,r("span",{class:"unseen",role:"status",children:o})]})}function Oe({route:e,asked:t,command:n,list:o}){return r(R,{children:[n&&r(yt,{text:n,label:"\
Copy command"}),r(yt,{text:Wp(e,t),label:"Copy curl"}),o&&r("a",{class:"button quiet",href:ou(e,t),download:"",children:"CSV"})]})}function Wp(e,t){return`curl \
-s ${_t(location.origin+Ko(e,t))} -H "Authorization: Bearer $(cat weir-data/admin.token)"`}function _t(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",
"'\\''")}'`}function pe({label:e,hint:t,wrong:n,value:o,onInput:s,list:i,bare:l,type:a="text",...d}){let p=is(),h={type:a,list:i&&p+"-list","aria-invalid":n?!0:void 0,"aria\
-describedby":t||n?p+"-about":void 0,...d};return r("div",{class:"field",children:[r("label",{for:p,class:l?"unseen":void 0,children:e}),r("input",{id:p,value:o,
onInput:m=>s(m.currentTarget.value),autocomplete:"off",spellcheck:!1,...h}),i&&r("datalist",{id:p+"-list",children:i.map(m=>r("option",{value:m},m))}),r(Ii,{id:p,
hint:t,wrong:n})]})}function yu({label:e,hint:t,wrong:n,value:o,onInput:s,code:i,...l}){let a=is(),d={"aria-invalid":n?!0:void 0,"aria-describedby":t||n?a+"-abo\
ut":void 0,...l};return r("div",{class:"field",children:[r("label",{for:a,children:e}),r("textarea",{id:a,class:i?"mono":void 0,value:o,onInput:p=>s(p.currentTarget.
value),autocomplete:"off",spellcheck:!1,...d}),r(Ii,{id:a,hint:t,wrong:n})]})}function at({label:e,hint:t,wrong:n,value:o,options:s,onChange:i,bare:l}){let a=is();
return r("div",{class:"field",children:[r("label",{for:a,class:l?"unseen":void 0,children:e}),r("select",{id:a,value:o,"aria-invalid":n?!0:void 0,"aria-describe\
dby":t||n?a+"-about":void 0,onChange:d=>i(d.currentTarget.value),children:s.map(d=>r("option",{value:d.value,selected:d.value===o,children:d.label},d.value))}),
r(Ii,{id:a,hint:t,wrong:n})]})}function Ii({id:e,hint:t,wrong:n}){return!t&&!n?null:r("span",{id:e+"-about",class:n?"wrong":"muted small",children:n??t})}function Kn({
label:e,checked:t,onChange:n}){return r("label",{class:"check",children:[r("input",{type:"checkbox",checked:t,onChange:o=>n(o.currentTarget.checked)}),e]})}function ds({
label:e,value:t,options:n,onChange:o}){return r("div",{class:"segments",role:"group","aria-label":e,children:n.map(s=>r("button",{type:"button","aria-pressed":s.
value===t,onClick:()=>o(s.value),children:s.label},s.value))})}function zi(e){let t=[],{credentials:n,credentials_parked:o,credentials_resting:s}=e;return e.breaker==="open"&&t.push({text:"breaker open",tone:"bad",...Tr(e.open_until)}),
e.breaker==="trying"&&t.push({text:"being tried",tone:"warn"}),n>0&&o===n?t.push({text:n===1?"credential refused":"all credentials refused",tone:"bad",...Tr(e.credentials_free_at)}):
o>0&&t.push({text:`${o} of ${n} credentials refused`,tone:"warn"}),s>0&&t.push({text:`${Me(s,"credential")} at a rate limit`,tone:"warn",...Tr(o+s===n?e.credentials_free_at:
null)}),e.resting_until&&t.push({text:"asked for rest",tone:"warn",...Tr(e.resting_until)}),e.full&&t.push({text:"full",tone:"warn",...Tr(e.full_until)}),e.down_for.
length>0&&t.push({text:`down for ${Me(e.down_for.length,"key")}`,tone:"warn"}),e.refused_for.length>0&&t.push({text:`refused ${Me(e.refused_for.length,"key")}`,
tone:"warn"}),t.length>0?t:[{text:"well",tone:"good"}]}function Tr(e){return e===null?{}:{until:new Date(e)}}var Bp={good:"M1 4a3 3 0 1 0 6 0a3 3 0 1 0-6 0",warn:"\
M4 .5L7.800 7.500H.2z",bad:"M1 1h6v6H1z",muted:"M1 3.200h6v1.600H1z"};function jp({tone:e}){return r("svg",{class:`mark ${e}`,viewBox:"0 0 8 8",width:"8",height:"\
8","aria-hidden":"true",children:r("path",{d:Bp[e],fill:"currentColor"})})}function Sr({words:e}){let{zone:t}=I();return r("span",{class:"words",children:e.map(
n=>r("span",{class:n.tone==="good"?void 0:n.tone,children:[r(jp,{tone:n.tone}),n.text,n.until&&r("span",{title:$t(n.until),children:[" until ",wr(n.until,t)]})]},
n.text))})}function Ui({health:e}){return r(Sr,{words:e?zi(e):[{text:"not known",tone:"muted"}]})}var Gi="custom";function _u(){let{zone:e}=I(),t=bt(ue().params),[n,o]=N(!1),s=kr(e).find(a=>a.since===t.since&&a.until===t.until),i=kr(e).map(a=>({value:a.label,
label:a.label}));s||i.push({value:"",label:mn(t,e)}),i.push({value:Gi,label:"From … to …"});let l=a=>{let d=kr(e).find(p=>p.label===a);o(a===Gi),d&&te({since:d.
since,until:d.until})};return r(R,{children:[r(at,{bare:!0,label:"Period",value:n?Gi:s?.label??"",options:i,onChange:l}),n&&r(Vp,{onDone:()=>o(!1)})]})}function Vp({
onDone:e}){let{zone:t}=I(),{from:n,to:o}=xr(bt(ue().params),t),[s,i]=N(Et(n,t)),[l,a]=N(Et(o,t)),d=l<=s?"It ends before it begins.":null;return r("form",{class:"\
filters",onSubmit:h=>{h.preventDefault(),!d&&(te({since:Lt(s,t).toISOString(),until:Lt(l,t).toISOString()}),e())},children:[r(pe,{label:`From, ${t}`,type:"datet\
ime-local",value:s,onInput:i,required:!0}),r(pe,{label:"To",type:"datetime-local",value:l,onInput:a,required:!0,wrong:d}),r("button",{class:"primary",disabled:d!==
null,children:"Show"})]})}function vu(){let e=ue().params.get("team")??"",n=(j("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(o=>({value:o.name,
label:o.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(o=>o.value===e)&&n.push({value:e,label:e}),r(at,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:o=>te({team:o})}))}var Hi=new EventTarget;function ps(e,t=!1){Hi.dispatchEvent(new CustomEvent("said",{detail:{text:e,care:t}}))}function wu(){let[e,t]=N(null),{path:n}=ue();return ge(
()=>{let o=s=>s instanceof CustomEvent&&t(s.detail);return Hi.addEventListener("said",o),()=>Hi.removeEventListener("said",o)},[]),ge(()=>t(null),[n]),r("div",{
class:"said",role:"status",children:e&&r("div",{class:e.care?"panel alert":"panel alert good-edge",children:[r("span",{children:e.text}),r("button",{class:"quie\
t rest",onClick:()=>t(null),children:"Dismiss"})]})})}function st({title:e,mark:t,up:n,period:o,team:s,of:i,tools:l,children:a}){return ge(()=>{document.title=`${e} · Weir`},[e]),r(R,{children:[r("div",{class:"hea\
d",children:[r("div",{class:"title",children:[n&&r("a",{class:"small",href:ne(n.path),children:n.title}),r("div",{class:"row",children:[r("h1",{children:e}),t]})]}),
r("div",{class:"tools",children:[l,s&&r(vu,{}),o&&r(_u,{}),i&&r(Yp,{of:i})]})]}),r(wu,{}),a]})}function Yp({of:e}){let{zone:t}=I();return r("button",{class:"qui\
et",title:"Fetch it again",onClick:as,children:e.at?`as of ${wr(e.at,t)}`:"…"})}function we({of:e,empty:t,isEmpty:n,children:o}){let{data:s,error:i,loading:l}=e;if(s===null)return i?r(Cr,{error:i,retry:e.reload}):r(ms,{shown:l});let a=t!==void 0&&
n?.(s)===!0;return r(R,{children:[i&&r(Zp,{of:e,error:i}),l&&r(ms,{shown:!0}),r("div",{class:l?"old":void 0,children:a?r("div",{class:"state",children:t}):o(s)})]})}
function ms({shown:e}){return e?r("div",{role:"status",children:[r("div",{class:"loading"}),r("span",{class:"unseen",children:"Loading"})]}):null}function Zp({of:e,
error:t}){let{zone:n}=I();return r("div",{class:"row state small",role:"status",children:[r("span",{class:"warn",children:["Could not refresh",e.at?`: this is f\
rom ${pn(e.at,n)}`:"","."]}),r("span",{children:t.message}),r("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function Cr({error:e,retry:t}){
return r("div",{class:"state",role:"alert",children:[r("strong",{children:Qp(e)}),r("span",{children:e.message}),e.status>=500&&r("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&r("button",{onClick:t,children:"Try again"})]})}function Qp({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function Ge(e){let{label:t,columns:n,rows:o,id:s,selected:i,onOpen:l}=e,[a,d]=N(()=>nm(e.sorted)),[p,h]=N(!1),m=om(o,n,a),y=p?m:m.slice(0,e.most),b=n.some(w=>w.
sum!==void 0);return r("div",{class:"scroll",tabIndex:0,role:"group","aria-label":t,children:[r("table",{children:[r("thead",{children:r("tr",{children:n.map(w=>r(
Jp,{column:w,order:a,onOrder:d},w.key))})}),r("tbody",{children:y.map(w=>r(Xp,{row:w,columns:n,selected:i!==void 0&&i===s(w),onOpen:l},s(w)))}),b&&r("tfoot",{children:r(
"tr",{children:n.map(w=>r("td",{class:Er(w),children:w.sum},w.key))})})]}),y.length<o.length&&r("button",{class:"quiet more",onClick:()=>h(!0),children:["Show a\
ll ",o.length]})]})}function Er(e){return e.num?"num":e.wrap?"wrap":void 0}function Jp({column:e,order:t,onOrder:n}){if(e.title==="")return r("td",{class:Er(e)});
let o=t?.key===e.key?t:null;if(!e.sort)return r("th",{scope:"col",class:Er(e),title:e.hint,children:e.title});let s={key:e.key,down:o?!o.down:e.num===!0};return r(
"th",{scope:"col",class:Er(e),title:e.hint,"aria-sort":o?o.down?"descending":"ascending":"none",children:r("button",{type:"button",onClick:()=>n(s),children:[o&&
r("span",{"aria-hidden":"true",children:o.down?"↓":"↑"}),r("span",{children:e.title})]})})}function Xp({row:e,columns:t,selected:n,onOpen:o}){let s=t.map(i=>r(
"td",{class:Er(i),children:i.cell(e)},i.key));return o?r("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:i=>em(i)&&o(e),onKeyDown:i=>tm(i,()=>o(e)),children:s}):
r("tr",{children:s})}function em(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function tm(e,t){
let n=e.currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let o=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:
null;if(e.key==="Enter")t();else if(o instanceof HTMLElement)o.focus();else return;e.preventDefault()}function nm(e){return e===void 0?null:e.startsWith("-")?{key:e.
slice(1),down:!0}:{key:e,down:!1}}function om(e,t,n){let o=t.find(i=>i.key===n?.key)?.sort;if(!o||!n)return e;let s=n.down?-1:1;return e.toSorted((i,l)=>{let[a,
d]=[o(i),o(l)];return s*(typeof a=="string"?a.localeCompare(String(d)):a-Number(d))})}function xn({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return r(
"svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[r("rect",{width:"96",height:"8",rx:"1"}),r("rect",{width:n,height:"8",rx:"1"})]})}function ku(){let{params:e}=ue(),[t,n]=N(null),o=e.get("model")??"",s=e.get("key")??"",i={...o&&{model:o},...s&&{key:s}},l=o===""&&t===null?null:{query:i},a=j("\
GET /admin/v1/explain",t===null?l:null),d=j("POST /admin/v1/explain",t===null?null:{query:i,body:t}),p=t===null?a:d;return r(st,{title:"Explain",...l&&{of:p},children:[
r(rm,{model:o,onBody:n}),l===null?r(im,{}):r(we,{of:p,children:h=>r(lm,{explanation:h,hasBody:t!==null})})]})}function rm({model:e,onBody:t}){let{models:n}=I(),
{params:o}=ue(),[s,i]=N(e),[l,a]=N(o.get("key")??""),[d,p]=N(""),[h,m]=N(null),b=(j("GET /admin/v1/keys",{query:{limit:1e3}}).data?.data??[]).filter(D=>D.status===
"active").map(D=>D.name);return r("form",{class:"panel pad stack",onSubmit:D=>{D.preventDefault();let C=sm(d);if(m(typeof C=="string"?C:null),typeof C=="string")
return;let M=l.trim()||C?.key||"",k=typeof C?.body.model=="string"?C.body.model:"";a(M),i(s.trim()||k),t(C?.body??null),te({model:s.trim()||k,key:M})},"aria-lab\
el":"Request to explain",children:[r("div",{class:"ask",children:[r("div",{class:"stack small-gap",children:[r(pe,{label:"Model",value:s,onInput:i,list:n,placeholder:"\
as callers name it",hint:"Empty: the one that the body names."}),r(pe,{label:"Key",value:l,onInput:a,list:b,placeholder:"any that may use every model",hint:"Its\
 name or id."})]}),r(yu,{code:!0,label:"Request: a JSON body, or a pasted curl command",rows:6,value:d,onInput:D=>p(uu(D)),wrong:h,placeholder:'{"messages": [{"\
role": "user", "content": "Hello"}], "max_tokens": 500}',hint:"Without it, a chat with no special needs. It goes to Weir alone, and no provider is called."})]}),
r("div",{class:"row",children:[r("button",{class:"primary",children:"Explain"}),d!==""&&r("button",{type:"button",onClick:()=>{p(""),m(null),t(null)},children:"\
Clear the request"}),r("span",{class:"rest",children:s!==""&&r(yt,{label:"Copy command",text:`weir explain ${_t(s)}${l===""?"":` --key ${_t(l)}`}${d===""?"":" -\
-body request.json"}`})})]})]})}function sm(e){if(e.trim()==="")return null;try{return au(e)}catch(t){return t instanceof Error?`This cannot be read. ${t.message}`:
"This cannot be read."}}function im(){return r("section",{class:"panel state",children:[r("strong",{children:"Name a model, or paste a request"}),r("span",{children:"\
You will see where it would go now, what would be skipped and why, which limits and budgets apply, and about what it would cost. Nothing is called or changed."}),
r("span",{children:["In a terminal: ",r("code",{children:"weir explain smart --key my-app --body request.json"})]})]})}function lm({explanation:e,hasBody:t}){let n=[
...e.limits,...e.budgets];return r("div",{class:"stack",children:[r(am,{explanation:e,hasBody:t}),r(cm,{plans:e.plans}),n.length>0&&r("section",{class:"panel","\
aria-label":"Limits and budgets",children:[r("header",{children:r("h2",{children:"Limits and budgets that apply"})}),r(Ge,{label:"Limits and budgets, and what i\
s left of each",columns:fm(),rows:n,id:o=>`${o.of} ${o.id} ${xu(o)}`})]})]})}function am({explanation:e,hasBody:t}){let{plans:n,refused:o,hedge:s,max_attempts:i}=e,
l=n.flatMap(h=>h.targets).filter(h=>h.turn!==null),[a]=l,d=n[0]?.targets.some(h=>h.turn!==null)??!1,p=o!==null||!a?"bad-edge":a.skip===null&&d?"good-edge":"";return r(
"section",{class:`panel alert verdict ${p}`,"aria-label":"Verdict",role:"status",children:[o!==null?r("p",{children:[r("strong",{class:"bad",children:"It would \
be refused."})," The caller would read: ",o]}):a?r("p",{children:[r("strong",{children:[n[0]?.drawn?"It would now go to ":"It would go to ",r("code",{children:a.
target})]}),!d&&", by a fallback: no target of the model itself would be tried",a.cost_nanodollars!==null&&r(R,{children:[", for about ",r("span",{title:Le(a.cost_nanodollars),
children:ye(a.cost_nanodollars,4)})]}),"."]}):r("p",{children:[r("strong",{class:"bad",children:"No target would be tried."})," The reasons are beside each."]}),
r("p",{class:"muted",children:[e.key===null?"For a key that may use every model":r(R,{children:["For the key ",r("strong",{children:e.key})]}),`, at most ${Me(i,
"attempt")}`,l.length>1&&` over ${Me(l.length,"target")}`,".",n[0]?.drawn&&" Chance has a part in the order: the next request may meet another one.",n[0]?.sticks&&
" Something of the request decides which target is first.",s?.target&&` ${s.target} is asked as well ${s.late_ms===null?"for streams that are late, once it is k\
nown when they are":`for a stream without content after ${s.late_ms} ms`}.`,!t&&" Without a request, costs are not known, and nothing special is needed."]})]})}
var um=[["Would cost","The prompt as estimated, none of it from a cache, and the answer that it allows, or 500 tokens"],["Million tokens in","What they cost in \
a prompt of this length"],["Out"],["In flight"]];function cm({plans:e}){return r("section",{class:"panel","aria-label":"Targets in their order",children:r("div",
{class:"scroll",tabIndex:0,role:"region","aria-label":"Targets, and why each is tried or skipped",children:r("table",{class:"grouped",children:[r("thead",{children:r(
"tr",{children:[r("th",{scope:"col",children:"Turn"}),r("th",{scope:"col",children:"Target"}),r("th",{scope:"col",children:"Why"}),um.map(([t,n])=>r("th",{scope:"\
col",class:"num",title:n,children:t},t))]})}),e.map((t,n)=>r("tbody",{children:[r("tr",{class:"first",children:r("th",{scope:"rowgroup",colSpan:7,children:[t.on!==
null&&r("span",{class:"muted small",children:["then, on ",t.on.map(o=>o.replace("_"," ")).join(", "),": "]}),r("a",{href:ne("/models",{model:t.route}),children:t.
route})," ",r("span",{class:"muted small",children:[t.policy,t.sticky!=="none"&&` · sticky by ${t.sticky}`]})]})}),t.targets.map(o=>r(dm,{target:o},o.target))]},
n))]})})})}function dm({target:e}){let{turn:t,price:n,cost_nanodollars:o}=e;return r("tr",{children:[r("td",{class:t===null?"muted":void 0,children:t??"skipped"}),
r("td",{children:r("code",{class:t===null?"muted":void 0,children:e.target})}),r("td",{class:"wrap",children:r(pm,{target:e})}),r("td",{class:"num",children:o===
null?"–":r("span",{title:Le(o),children:ye(o,4)})}),n?r("td",{class:"num",children:ye(n.input*1e3)}):r("td",{class:"num muted",children:"not known"}),r("td",{
class:"num",children:n&&ye(n.output*1e3)}),r("td",{class:"num",children:B(e.in_flight)})]})}function pm({target:e}){let t=bu(e,new Date);return e.turn===null?r(
Sr,{words:[{text:t,tone:e.skip==="down"||e.skip==="no_credential"?"bad":"warn"}]}):t!==""?r(Sr,{words:[{text:t,tone:"warn"}]}):r(Sr,{words:zi(e)})}function gs(e){
return"budget"in e}var mm={rpm:"requests a minute",tpm:"tokens a minute",concurrent:"requests at once"};function xu(e){return gs(e)?e.budget:mm[e.limit]}function fs(e,t){
return gs(e)&&e.unit==="nanodollars"?ye(t):B(t)}function fm(){return[{key:"of",title:"Of",cell:e=>r(R,{children:[e.of," ",r("strong",{children:e.name})]})},{key:"\
limit",title:"Limit",cell:xu},{key:"share",title:"",cell:e=>r(xn,{part:e.most-e.remaining,whole:e.most})},{key:"used",title:"Used",num:!0,cell:e=>fs(e,e.used)},
{key:"held",title:"Held",num:!0,cell:e=>gs(e)?fs(e,e.held):""},{key:"remaining",title:"Left",num:!0,cell:e=>r("span",{class:e.remaining<=0?"bad":void 0,children:e.
remaining<=0?"nothing":fs(e,e.remaining)})},{key:"most",title:"Most",num:!0,cell:e=>fs(e,e.most)},{key:"reset",title:"Back",cell:e=>r(gm,{row:e})}]}function gm({
row:e}){let{zone:t}=I();return gs(e)?e.reset===null?r("span",{class:"muted",children:"never"}):r("span",{title:$t(new Date(e.reset)),children:ht(new Date(e.reset),
t)}):r(R,{children:e.reset_ms?`all in ${Ue(e.reset_ms*1e3)}`:""})}function Tu({values:e}){let t=Math.max(...e);return t>0?r("svg",{class:"spark",viewBox:`0 0 ${e.length*3} 18`,width:e.length*3,height:18,"aria-hidden":"true",children:e.
map((n,o)=>{let s=n>0?Math.max(1,18*n/t):.5;return r("rect",{x:o*3,y:18-s,width:2,height:s},o)})}):null}var hs=7*864e5;function Nn(e,t=Date.now()){switch(e.status){case"revoked":return{word:"unsaved"in e&&e.unsaved?"Revoked, not saved":"Revoked",tone:"unsaved"in e&&
e.unsaved?"bad":"muted"};case"team_revoked":return{word:"Team revoked",tone:"warn"};case"expired":return{word:"Expired",tone:"warn"};default:return("expires_at"in
e&&e.expires_at?Date.parse(e.expires_at)-t:hs)<hs?{word:"Expires soon",tone:"warn"}:{word:"Active",tone:"good"}}}function fn(e,t){return e==="nanodollars"?ye(t):
`${en(t).replace(/\.?0+ /," ")} ${t===1?"token":"tokens"}`}var hm={hour:"an hour",day:"a day",week:"a week",month:"a month",total:"in total"};function Wi(e){return e.
slice(e.lastIndexOf("/")+1)}function Bi(e){let t=Wi(e.budget);return`${fn(e.unit,e.most)} ${hm[t]??"a "+t}`}function ji({limit:e,most:t}){switch(e){case"rpm":return`${Me(
t,"request")} a minute`;case"tpm":return`${Me(t,"token")} a minute`;default:return`${Me(t,"request")} at once`}}function Vi(e){return[e.rpm!==null&&`${B(e.rpm)}\
 rpm`,e.tpm!==null&&`${B(e.tpm)} tpm`,e.concurrent!==null&&`${B(e.concurrent)} at once`].filter(n=>n!==!1).join(", ")}function zo(e){return[...e.budgets??[],Vi(
e)].join()}function Su(e,t){let n=e.split("*").map(o=>o.replace(/[.+?^${}()|[\]\\]/g,"\\$&"));return new RegExp(`^${n.join(".*")}$`,"s").test(t)}function Pr({of:e}){let{word:t,tone:n}=Nn(e);return r("span",{class:`state-word ${n}`,children:t})}function Uo({of:e}){return r(R,{children:[r(Pr,{of:e}),r("spa\
n",{class:"second",children:e.source==="config"?"config file":"store"})]})}function Go({of:e}){let t=Vi(e);return!e.budgets&&t===""?r("span",{class:"muted",children:"\
none"}):r("div",{class:"words bounds",children:[e.budgets?.map(n=>r("span",{class:"whole",children:n},n)),t!==""&&r("span",{class:e.budgets?"second":void 0,children:t})]})}
function In({models:e,all:t}){if(!e)return r("span",{class:"muted",children:"all"});if(t)return r(R,{children:e.join(", ")});let n=e.length-3;return r("div",{class:"\
words",title:e.join(", "),children:[e.slice(0,3).join(", "),n>0&&r("span",{class:"muted",children:[" + ",n]})]})}function Ho({spending:e,id:t}){let n=e.of.get(t);
return n?r("span",{class:"spent",children:[r(Tu,{values:n.days}),r("span",{title:Le(n.cost),children:ye(n.cost)})]}):r("span",{class:"muted",children:e.whole?ye(
0):"–"})}function vt({title:e,onClose:t,aside:n,firm:o,children:s}){let i=At(null);return ge(()=>{let l=i.current;return l?.showModal(),()=>l?.close()},[]),r("dialog",{ref:i,
class:n?"aside":void 0,"aria-label":e,onClose:t,onCancel:l=>o==="all"&&l.preventDefault(),onClick:l=>!o&&l.target===i.current&&i.current?.close(),children:r("di\
v",{class:"dialog",children:[r("div",{class:"row",children:[r("h2",{children:e}),o!=="all"&&r("button",{class:"quiet rest",type:"button",onClick:()=>i.current?.
close(),children:"Close"})]}),s]})})}var Tn={name:"",team:"",models:"",rpm:"",tpm:"",concurrent:"",budgets:"",reserve:"expected",cut:!1,warn:"",expires_at:"",idempotency:"",explain:!1};function Ji(e,t){
let n={...Tn,name:e.name,models:Zi(e.models),rpm:Yi(e.rpm),tpm:Yi(e.tpm),concurrent:Yi(e.concurrent),budgets:Zi(e.budgets),reserve:e.reserve??Tn.reserve,cut:e.cut,
warn:Zi(e.warn)};return"idempotency"in e?{...n,team:e.team??"",expires_at:e.expires_at===null?"":Et(new Date(e.expires_at),t),idempotency:e.idempotency??"",explain:e.
explain}:n}function Dr(e,t,n){let o={},s=i=>e[i]!==t[i];return s("name")&&(o.name=e.name.trim()),s("team")&&(o.team=e.team||null),s("models")&&(o.models=Qi(e.models)),
s("rpm")&&(o.rpm=bs(e.rpm,"rpm")),s("tpm")&&(o.tpm=bs(e.tpm,"tpm")),s("concurrent")&&(o.concurrent=bs(e.concurrent,"concurrent")),s("budgets")&&(o.budgets=Qi(e.
budgets)),s("reserve")&&(o.reserve=e.reserve==="strict"?"strict":"expected"),s("cut")&&(o.cut=e.cut),s("warn")&&(o.warn=Qi(e.warn)?.map(i=>bs(i.replace(/\s*%$/,
""),"warn")??0)??null),s("expires_at")&&(o.expires_at=e.expires_at===""?null:Lt(e.expires_at,n).toISOString()),s("idempotency")&&(o.idempotency=e.idempotency.trim()||
null),s("explain")&&(o.explain=e.explain),o}function Yi(e){return e===null?"":String(e)}function Zi(e){return(e??[]).join(", ")}function Qi(e){let t=e.split(",").
map(n=>n.trim()).filter(n=>n!=="");return t.length>0?t:null}function bs(e,t){let n=e.replace(/[\s,_]/g,"");if(n==="")return null;if(!/^\d{1,15}$/.test(n))throw new vn(
400,"invalid_value",`A whole number is expected, and not ${e.trim()}.`,t);return Number(n)}function zn(e,t){let[n,o]=N(!1),[s,i]=N(null);return{busy:n,error:s,start:()=>{o(!0),i(null),new Promise(a=>a(e())).then(t).catch(a=>i(Xt(a))).finally(()=>o(!1))}}}
function wt(e,t){if(e?.param!==t)return null;let n=e.message.startsWith(t+": ")?e.message.slice(t.length+2):e.message;return n.charAt(0).toUpperCase()+n.slice(1)}
function Un({change:e,action:t,fields:n,onCancel:o,danger:s,disabled:i,children:l}){let{busy:a,error:d,start:p}=e,h=At(null);return ge(()=>{d&&h.current?.querySelector(
"[aria-invalid]")?.focus()},[d]),r("form",{class:"form",ref:h,onSubmit:y=>{y.preventDefault(),!a&&!i&&p()},noValidate:!0,children:[l,r("div",{class:"end",children:[
d&&!n.includes(d.param??"")&&r("p",{class:"bad",role:"alert",children:d.message}),r("div",{class:"actions",children:[r("button",{type:"button",onClick:o,children:"\
Cancel"}),r("button",{class:s?"danger":"primary",disabled:a||i,children:t})]})]})]})}var Wo=Object.keys(Tn);function Xi(e){let{draft:t,onChange:n,error:o}=e;return r(R,{children:[r("div",{class:"pair",children:[r(pe,{label:"Name",required:!0,autofocus:!0,
hint:"Printable, without spaces: svc-search",value:t.name,onInput:s=>n({name:s}),wrong:wt(o,"name")}),r(bm,{...e})]}),r(Eu,{...e}),r(Pu,{...e}),r(Du,{...e}),r(wm,
{...e})]})}function el(e){let{draft:t,onChange:n,error:o}=e;return r(R,{children:[r(pe,{label:"Name",required:!0,autofocus:!0,hint:"Printable, without spaces: r\
esearch",value:t.name,onInput:s=>n({name:s}),wrong:wt(o,"name")}),r(Eu,{...e}),r(Pu,{...e}),r(Du,{...e})]})}function bm({draft:e,onChange:t,error:n}){let s=(j("\
GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).filter(i=>i.status==="active").map(({name:i})=>({value:i,label:i}));return e.team!==""&&!s.some(({value:i})=>i===
e.team)&&s.push({value:e.team,label:e.team}),r(at,{label:"Team",value:e.team,options:[{value:"",label:"No team"},...s],onChange:i=>t({team:i}),wrong:wt(n,"team")})}
var ym=16;function Eu({draft:e,onChange:t,error:n}){let{models:o}=I(),s=e.models.split(",").map(l=>l.trim()).filter(l=>l!==""),i=l=>t({models:(s.includes(l)?s.filter(
a=>a!==l):[...s,l]).join(", ")});return r("div",{class:"field",children:[r(pe,{label:"Models",hint:"With commas; * stands for any run of characters: fast, embed\
-*. Empty allows all, later ones included.",value:e.models,onInput:l=>t({models:l}),wrong:wt(n,"models")}),r("div",{class:"chips",role:"group","aria-label":"Mod\
els of the config",children:o.slice(0,ym).map(l=>r("button",{type:"button","aria-pressed":s.includes(l),onClick:()=>i(l),children:l},l))})]})}function Pu({draft:e,
onChange:t,error:n}){return r("fieldset",{children:[r("legend",{children:"Limits"}),r("div",{class:"thirds",children:[r(pe,{label:"Requests a minute",hint:"rpm;\
 empty for none",inputMode:"numeric",value:e.rpm,onInput:o=>t({rpm:o}),wrong:wt(n,"rpm")}),r(pe,{label:"Tokens a minute",hint:"tpm, prompts and answers",inputMode:"\
numeric",value:e.tpm,onInput:o=>t({tpm:o}),wrong:wt(n,"tpm")}),r(pe,{label:"Requests at once",hint:"concurrent",inputMode:"numeric",value:e.concurrent,onInput:o=>t(
{concurrent:o}),wrong:wt(n,"concurrent")})]})]})}var _m=["50usd/month","5usd/day","2Mtok/day","200usd/total"],vm=[{value:"expected",label:"What is usual: few re\
quests wait"},{value:"strict",label:"The most it can take: never exceeded"}];function Du({draft:e,onChange:t,error:n}){let o=s=>t({budgets:e.budgets.trim()===""?
s:`${e.budgets.replace(/[\s,]+$/,"")}, ${s}`});return r("fieldset",{children:[r("legend",{children:"Budgets"}),r(pe,{label:"So much in a period",hint:"Units: us\
d, tok, ktok, Mtok. Periods: hour, day, week, month, total. Several with commas; empty for none.",value:e.budgets,onInput:s=>t({budgets:s}),wrong:wt(n,"budgets")}),
r(Mr,{label:"Examples of budgets",texts:_m,onPick:o}),r("div",{class:"pair",children:[r(at,{label:"While it runs, a call holds",value:e.reserve,options:vm,onChange:s=>t(
{reserve:s}),wrong:wt(n,"reserve")}),r(pe,{label:"Warn when spent, in percent",hint:"50, 90. Empty: no warning",value:e.warn,onInput:s=>t({warn:s}),wrong:wt(n,"\
warn")})]}),r(Kn,{label:"End streams with an error when a budget has no room for more of them",checked:e.cut,onChange:s=>t({cut:s})})]})}var Cu=[["30 days",30],
["90 days",90],["1 year",365]];function wm({draft:e,onChange:t,error:n}){let{zone:o}=I(),s=i=>{let l=Cu.find(([a])=>a===i)?.[1];t({expires_at:l===void 0?"":Et(new Date(
Date.now()+l*864e5),o)})};return r("fieldset",{children:[r("legend",{children:"Expiry and repeats"}),r("div",{class:"pair",children:[r("div",{class:"field",children:[
r(pe,{label:`Expires, ${o}`,type:"datetime-local",hint:"Empty: never",value:e.expires_at,onInput:i=>t({expires_at:i}),wrong:wt(n,"expires_at")}),r(Mr,{label:"Li\
ves",texts:[...Cu.map(([i])=>i),"never"],onPick:s})]}),r("div",{class:"field",children:[r(pe,{label:"Keep answers for repeats",hint:"For requests with an Idempo\
tency-Key: 1m to 720h. Empty refuses the header",value:e.idempotency,onInput:i=>t({idempotency:i}),wrong:wt(n,"idempotency")}),r(Mr,{label:"Examples of times",texts:[
"24h","1h"],onPick:i=>t({idempotency:i})})]})]}),r(Kn,{label:r("span",{children:["Its requests may ask what was tried for them, with the header ",r("code",{children:"\
Weir-Explain: true"})]}),checked:e.explain,onChange:i=>t({explain:i})})]})}function Mr({label:e,texts:t,onPick:n}){return r("div",{class:"chips",role:"group","a\
ria-label":e,children:t.map(o=>r("button",{type:"button",onClick:()=>n(o),children:o},o))})}function tl({minted:e,onClose:t}){let n=km(e);return r(vt,{title:`The secret of ${e.name}`,firm:"all",onClose:t,children:[r("p",{children:"Copy it now. Weir kee\
ps only a digest of it, so that it cannot be shown again."}),r("div",{class:"secret",children:[r("code",{children:e.key}),r(yt,{primary:!0,text:e.key,label:"Cop\
y secret"})]}),r("div",{class:"field",children:[r("div",{class:"row",children:[r("span",{class:"label",children:"Try it"}),r("span",{class:"rest",children:r(yt,
{text:n,label:"Copy curl"})})]}),r("pre",{class:"code",children:n})]}),e.warnings.map(o=>r("p",{class:"warn",children:o},o)),r("div",{class:"actions",children:r(
"button",{onClick:t,children:"Done, I have it"})})]})}function km(e){let{models:t,url:n}=I(),o=t.find(i=>!i.includes("*")&&(e.models??["*"]).some(l=>Su(l,i)))??
"MODEL",s=JSON.stringify({model:o,messages:[{role:"user",content:"Hello!"}]});return`curl ${n}/v1/chat/completions -H ${_t("Authorization: Bearer "+e.key)} -H '\
Content-Type: application/json' -d ${_t(s)}`}function Hn(){return[ue().params.get("do"),ze]}function ze(){xm()&&te({do:null},!0)}function xm(){return new URLSearchParams(location.search).has("do")}function ut(e){
te({do:e})}function ys(e){let[t,n]=N(e);return{draft:t,onChange:o=>n(s=>({...s,...o}))}}function Gn(e,t=[],n=t.length>0){ps([e,...t].join(" "),n),as()}function _s({
team:e}){let{zone:t}=I(),{draft:n,onChange:o}=ys({...Tn,team:e}),[s,i]=N(null),l=zn(()=>rt("POST /admin/v1/keys",{body:{...Dr(n,Tn,t),name:n.name.trim()}}),a=>{
i(a),Gn(`The key ${a.name} works now.`)});return s?r(tl,{minted:s,onClose:ze}):r(vt,{title:"Create a key",aside:!0,firm:"beside",onClose:ze,children:r(Un,{change:l,
action:"Create key",fields:Wo,onCancel:ze,children:r(Xi,{draft:n,onChange:o,error:l.error})})})}function Mu({of:e}){let{zone:t}=I(),[n]=N(()=>Ji(e,t)),{draft:o,
onChange:s}=ys(n),i=zn(()=>rt("PATCH /admin/v1/keys/{key}",{path:{key:e.id},body:Dr(o,n,t)}),l=>{Gn(`The key ${l.name} is changed. The change holds already.`,l.
warnings),ze()});return r(vt,{title:`Change ${e.name}`,aside:!0,firm:"beside",onClose:ze,children:r(Un,{change:i,action:"Save",fields:Wo,onCancel:ze,disabled:Au(
o,n),children:r(Xi,{draft:o,onChange:s,error:i.error})})})}function Ru(){let{zone:e}=I(),{draft:t,onChange:n}=ys(Tn),o=zn(()=>rt("POST /admin/v1/teams",{body:{...Dr(
t,Tn,e),name:t.name.trim()}}),s=>{ze(),On(ne("/teams/"+s.id)),Gn(`The team ${s.name} is made. Keys can join it now.`,s.warnings)});return r(vt,{title:"Create a \
team",aside:!0,firm:"beside",onClose:ze,children:r(Un,{change:o,action:"Create team",fields:Wo,onCancel:ze,children:r(el,{draft:t,onChange:n,error:o.error})})})}
function qu({of:e}){let{zone:t}=I(),[n]=N(()=>Ji(e,t)),{draft:o,onChange:s}=ys(n),i=zn(()=>rt("PATCH /admin/v1/teams/{team}",{path:{team:e.id},body:Dr(o,n,t)}),
l=>{Gn(`The team ${l.name} is changed. The change holds for all its keys already.`,l.warnings),ze()});return r(vt,{title:`Change ${e.name}`,aside:!0,firm:"besid\
e",onClose:ze,children:r(Un,{change:i,action:"Save",fields:Wo,onCancel:ze,disabled:Au(o,n),children:r(el,{draft:o,onChange:s,error:i.error})})})}function Au(e,t){
return Wo.every(n=>e[n]===t[n])}function $u({of:e}){let{zone:t}=I(),[n,o]=N(""),[s,i]=N(null),l=zn(()=>rt("POST /admin/v1/keys/{key}/rotate",{path:{key:e.id},body:n.
trim()===""?{}:{grace:n.trim()}}),a=>{i(a),Gn(a.previous_until?`${a.name} has another secret. The one before works until ${ht(new Date(a.previous_until),t)}.`:`${a.
name} has another secret. The one before is refused.`)});return s?r(tl,{minted:s,onClose:ze}):r(vt,{title:`Rotate ${e.name}`,firm:"beside",onClose:ze,children:r(
Un,{change:l,action:"Rotate",fields:["grace"],onCancel:ze,children:[r("p",{children:"The key gets another secret, and keeps its name, limits and budgets."}),e.previous_until&&
r("p",{class:"warn",children:["The secret before the last rotation works until ",ht(new Date(e.previous_until),t),". It ends now."]}),r("div",{class:"field",children:[
r(pe,{label:"How long the secret until now goes on working",autofocus:!0,placeholder:"not at all",hint:"Such as 30m, 12h, 7d, 2w. Empty ends it at once.",value:n,
onInput:o,wrong:wt(l.error,"grace")}),r(Mr,{label:"Examples of times",texts:["1h","24h","7d"],onPick:o})]})]})})}function Lu({of:e,lastUsed:t}){let[n,o]=N(""),[
s,i]=N(!1),l=zn(()=>rt("DELETE /admin/v1/keys/{key}",{path:{key:e.id},query:s?{now:s}:{}}),a=>{a.unsaved?Gn(`${a.name} is refused here, but the store does not h\
ave that yet: ${a.unsaved.reason}`,[],!0):Gn(`${a.name} is revoked.`),ze()});return r(vt,{title:`Revoke ${e.name}`,firm:"beside",onClose:ze,children:r(Un,{change:l,
action:"Revoke",danger:!0,disabled:n!==e.name,fields:[],onCancel:ze,children:[r("p",{children:["The key is refused from then on, everywhere and for good. ",t]}),
r(Kn,{label:"End its running requests as well (--now). Otherwise they finish",checked:s,onChange:i}),r(pe,{label:`Type ${e.name} to revoke it`,autofocus:!0,value:n,
onInput:o})]})})}function Ou({of:e,keys:t}){let[n,o]=N(""),s=zn(()=>rt("DELETE /admin/v1/teams/{team}",{path:{team:e.id}}),i=>{Gn(`The team ${i.name} is revoked\
. Its keys are refused until they are in another one.`),ze()});return r(vt,{title:`Revoke ${e.name}`,firm:"beside",onClose:ze,children:r(Un,{change:s,action:"Re\
voke",danger:!0,disabled:n!==e.name,fields:[],onCancel:ze,children:[r("p",{children:["This is for good. ",t===null?"All its keys are":t===0?"It has no keys that\
 would be":t===1?"Its one key is":`Its ${t} keys are`," refused; running requests finish. A key works again once it is in another team."]}),r(pe,{label:`Type ${e.
name} to revoke it`,autofocus:!0,value:n,onInput:o})]})})}var Bo="other",nl=new Map;function Fu(e){let t=new Set;for(let n of e){let o=nl.get(n);o!==void 0&&t.add(o)}return e.map(n=>Tm(n,t))}function Tm(e,t){if(e===Bo)
return 8;let n=nl.get(e);if(n!==void 0)return n;let o=Sm(e)%7;for(let s=0;s<7&&t.has(o+1);s++)o=(o+1)%7;return t.add(o+1),nl.set(e,o+1),o+1}function Sm(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function jo(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var Cm=7;function ol(e,t){return e.hour!==void 0?new Date(e.hour):Lt(e.day??(e.month??"1970-01")+"-01",t)}function Sn(e,t,n,o){let s=[];for(let i=Em(e,n,o);i<t&&
s.length<5e3;i=Pm(i,n,o))s.push(i);return s}function Em(e,t,n){if(t==="hour")return e;let o=Et(e,n).slice(0,10);return Lt(t==="day"?o:o.slice(0,8)+"01",n)}function Pm(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[o=0,s=1,i=1]=Et(e,n).slice(0,10).split("-").map(Number),l=t==="day"?new Date(Date.UTC(o,s-1,i+1)):new Date(Date.
UTC(o,s,1));return Lt(l.toISOString().slice(0,10),n)}function uo(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Vo({rows:e,xs:t,zone:n,
group:o,value:s}){let i=new Map;for(let p of e)i.set(o(p),(i.get(o(p))??0)+s(p));let l=[...i].filter(([p,h])=>h>0&&p!==Bo).toSorted((p,h)=>h[1]-p[1]).slice(0,Cm).
map(([p])=>p),a=new Map(l.map(p=>[p,{name:p,values:t.map(()=>0)}])),d=new Map(t.map((p,h)=>[p.getTime(),h]));for(let p of e){let h=a.has(o(p))?o(p):Bo;if(s(p)===
0)continue;let m=a.get(h);m||a.set(h,m={name:h,values:t.map(()=>0)});let y=d.get(ol(p,n).getTime());y!==void 0&&(m.values[y]=(m.values[y]??0)+s(p))}return[...a.
values()]}function Ku(e,t,n){let o=new Map(e.map(s=>[new Date(s.at??0).getTime(),s[n]]));return[["p50",1],["p95",6],["p99",8]].map(([s,i])=>({name:s,slot:i,values:t.
map(l=>o.get(l.getTime())?.[`${s}_us`]??null)}))}var rl="weir-scheme",Nu=["light","dark","system"];function vs(){try{let e=localStorage.getItem(rl);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function Iu(e){try{e==="system"?localStorage.removeItem(rl):localStorage.setItem(rl,e)}catch{}Rr(e)}function Rr(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,qr.dispatchEvent(new Event("scheme"))}var qr=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>qr.dispatchEvent(new Event("scheme")));var Dm="uplot",Mm="u-hz",Rm="u-vt",qm="u-title",Am="u-wrap",$m="u-under",Lm="u-over",Om="u-axis",mo="u-off",Fm="u-select",Km="u-cursor-x",Nm="u-cursor-y",Im="u-\
cursor-pt",zm="u-legend",Um="u-live",Gm="u-inline",Hm="u-series",Wm="u-marker",zu="u-label",Bm="u-value",$r="width",Lr="height";var Uu="bottom",Yo="left",sl="right",kl="#000",Gu=kl+"0",il="mousemove",Hu="mousedown",ll="mouseup",Wu="mouseenter",Bu="mouseleave",ju="dblclick",jm="resize",Vm="\
scroll",Vu="change",Ss="dppxchange",xl="--",nr=typeof window<"u",pl=nr?document:null,Qo=nr?window:null,Ym=nr?navigator:null,he,ws;function ml(){let e=devicePixelRatio;
he!=e&&(he=e,ws&&gl(Vu,ws,ml),ws=matchMedia(`(min-resolution: ${he-.001}dppx) and (max-resolution: ${he+.001}dppx)`),fo(Vu,ws,ml),Qo.dispatchEvent(new CustomEvent(
Ss)))}function Ot(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function fl(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Re(e,t,n){
e.style[t]=n+"px"}function tn(e,t,n,o){let s=pl.createElement(e);return t!=null&&Ot(s,t),n?.insertBefore(s,o),s}function Bt(e,t){return tn("div",e,t)}var Yu=new WeakMap;
function gn(e,t,n,o,s){let i="translate("+t+"px,"+n+"px)",l=Yu.get(e);i!=l&&(e.style.transform=i,Yu.set(e,i),t<0||n<0||t>o||n>s?Ot(e,mo):fl(e,mo))}var Zu=new WeakMap;
function Qu(e,t,n){let o=t+n,s=Zu.get(e);o!=s&&(Zu.set(e,o),e.style.background=t,e.style.borderColor=n)}var Ju=new WeakMap;function Xu(e,t,n,o){let s=t+""+n,i=Ju.
get(e);s!=i&&(Ju.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var Tl={passive:!0},Zm={...Tl,
capture:!0};function fo(e,t,n,o){t.addEventListener(e,n,o?Zm:Tl)}function gl(e,t,n,o){t.removeEventListener(e,n,Tl)}nr&&ml();function nn(e,t,n,o){let s;n=n||0,o=
o||t.length-1;let i=o<=2147483647;for(;o-n>1;)s=i?n+o>>1:Ft((n+o)/2),t[s]<e?n=s:o=s;return e-t[n]<=t[o]-e?n:o}function Ec(e){return(n,o,s)=>{let i=-1,l=-1;for(let a=o;a<=
s;a++)if(e(n[a])){i=a;break}for(let a=s;a>=o;a--)if(e(n[a])){l=a;break}return[i,l]}}var Pc=e=>e!=null,Dc=e=>e!=null&&e>0,Ps=Ec(Pc),Qm=Ec(Dc);function Jm(e,t,n,o=0,s=!1){
let i=s?Qm:Ps,l=s?Dc:Pc;[t,n]=i(e,t,n);let a=e[t],d=e[t];if(t>-1)if(o==1)a=e[t],d=e[n];else if(o==-1)a=e[n],d=e[t];else for(let p=t;p<=n;p++){let h=e[p];l(h)&&(h<
a?a=h:h>d&&(d=h))}return[a??Te,d??-Te]}function Ds(e,t,n,o){let s=nc(e),i=nc(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let l=n==10?Cn:Mc,a=s==1?Ft:jt,d=i==1?jt:Ft,
p=a(l(Ze(e))),h=d(l(Ze(t))),m=Jo(n,p),y=Jo(n,h);return n==10&&(p<0&&(m=Se(m,-p)),h<0&&(y=Se(y,-h))),o||n==2?(e=m*s,t=y*i):(e=$c(e,m),t=Ms(t,y)),[e,t]}function Sl(e,t,n,o){
let s=Ds(e,t,n,o);return e==0&&(s[0]=0),t==0&&(s[1]=0),s}var Cl=.1,ec={mode:3,pad:Cl},Fr={pad:0,soft:null,mode:0},Xm={min:Fr,max:Fr};function Cs(e,t,n,o){return Rs(
n)?tc(e,t,n):(Fr.pad=n,Fr.soft=o?0:null,Fr.mode=o?3:0,tc(e,t,Xm))}function me(e,t){return e??t}function ef(e,t,n){for(t=me(t,0),n=me(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function tc(e,t,n){let o=n.min,s=n.max,i=me(o.pad,0),l=me(s.pad,0),a=me(o.hard,-Te),d=me(s.hard,Te),p=me(o.soft,Te),h=me(s.soft,-Te),
m=me(o.mode,0),y=me(s.mode,0),b=t-e,w=Cn(b),D=kt(Ze(e),Ze(t)),C=Cn(D),M=Ze(C-w);(b<1e-24||M>10)&&(b=0,(e==0||t==0)&&(b=1e-24,m==2&&p!=Te&&(i=0),y==2&&h!=-Te&&(l=
0)));let k=b||D||1e3,q=Cn(k),T=Jo(10,Ft(q)),X=k*(b==0?e==0?.1:1:i),F=Se($c(e-X,T/10),24),ee=e>=p&&(m==1||m==3&&F<=p||m==2&&F>=p)?p:Te,V=kt(a,F<ee&&e>=ee?ee:on(ee,
F)),re=k*(b==0?t==0?.1:1:l),W=Se(Ms(t+re,T/10),24),P=t<=h&&(y==1||y==3&&W>=h||y==2&&W<=h)?h:-Te,Y=on(d,W>P&&t<=P?P:kt(P,W));return V==Y&&V==0&&(Y=100),[V,Y]}var tf=new Intl.
NumberFormat(nr?Ym.language:"en-US"),El=e=>tf.format(e),Kt=Math,Ts=Kt.PI,Ze=Kt.abs,Ft=Kt.floor,Ye=Kt.round,jt=Kt.ceil,on=Kt.min,kt=Kt.max,Jo=Kt.pow,nc=Kt.sign,Cn=Kt.
log10,Mc=Kt.log2,nf=(e,t=1)=>Kt.sinh(e)*t,al=(e,t=1)=>Kt.asinh(e/t),Te=1/0;function oc(e){return(Cn((e^e>>31)-(e>>31))|0)+1}function hl(e,t,n){return on(kt(e,t),
n)}function Rc(e){return typeof e=="function"}function le(e){return Rc(e)?e:()=>e}var of=()=>{},qc=e=>e,Ac=(e,t)=>t,rf=e=>null,rc=e=>!0,sc=(e,t)=>e==t,sf=/\.\d*?(?=9{6,}|0{6,})/gm,
go=e=>{if(Oc(e)||Bn.has(e))return e;let t=`${e}`,n=t.match(sf);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,i]=t.split("e");return+`${go(
s)}e${i}`}return Se(e,o)};function co(e,t){return go(Se(go(e/t))*t)}function Ms(e,t){return go(jt(go(e/t))*t)}function $c(e,t){return go(Ft(go(e/t))*t)}function Se(e,t=0){
if(Oc(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return Ye(o)/n}var Bn=new Map;function Lc(e){return((""+e).split(".")[1]||"").length}function Nr(e,t,n,o){
let s=[],i=o.map(Lc);for(let l=t;l<n;l++){let a=Ze(l),d=Se(Jo(e,l),a);for(let p=0;p<o.length;p++){let h=e==10?+`${o[p]}e${l}`:o[p]*d,m=(l>=0?0:a)+(l>=i[p]?0:i[p]),
y=e==10?h:Se(h,m);s.push(y),Bn.set(y,m)}}return s}var Kr={},Pl=[],Xo=[null,null],Wn=Array.isArray,Oc=Number.isInteger,lf=e=>e===void 0;function ic(e){return typeof e==
"string"}function Rs(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function af(e){return e!=null&&typeof e=="object"}var uf=Object.getPrototypeOf(
Uint8Array),Fc="__proto__";function er(e,t=Rs){let n;if(Wn(e)){let o=e.find(s=>s!=null);if(Wn(o)||t(o)){n=Array(e.length);for(let s=0;s<e.length;s++)n[s]=er(e[s],
t)}else n=e.slice()}else if(e instanceof uf)n=e.slice();else if(t(e)){n={};for(let o in e)o!=Fc&&(n[o]=er(e[o],t))}else n=e;return n}function Be(e){let t=arguments;
for(let n=1;n<t.length;n++){let o=t[n];for(let s in o)s!=Fc&&(Rs(e[s])?Be(e[s],er(o[s])):e[s]=er(o[s]))}return e}var cf=0,df=1,pf=2;function mf(e,t,n){for(let o=0,
s,i=-1;o<t.length;o++){let l=t[o];if(l>i){for(s=l-1;s>=0&&e[s]==null;)e[s--]=null;for(s=l+1;s<n&&e[s]==null;)e[i=s++]=null}}}function ff(e,t){if(bf(e)){let l=e[0].
slice();for(let a=1;a<e.length;a++)l.push(...e[a].slice(1));return yf(l[0])||(l=hf(l)),l}let n=new Set;for(let l=0;l<e.length;l++){let d=e[l][0],p=d.length;for(let h=0;h<
p;h++)n.add(d[h])}let o=[Array.from(n).sort((l,a)=>l-a)],s=o[0].length,i=new Map;for(let l=0;l<s;l++)i.set(o[0][l],l);for(let l=0;l<e.length;l++){let a=e[l],d=a[0];
for(let p=1;p<a.length;p++){let h=a[p],m=Array(s).fill(void 0),y=t?t[l][p]:df,b=[];for(let w=0;w<h.length;w++){let D=h[w],C=i.get(d[w]);D===null?y!=cf&&(m[C]=D,
y==pf&&b.push(C)):m[C]=D}mf(m,b,s),o.push(m)}}return o}var gf=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function hf(e){let t=e[0],n=t.
length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,l)=>t[i]-t[l]);let s=[];for(let i=0;i<e.length;i++){let l=e[i],a=Array(n);for(let d=0;d<n;d++)a[d]=
l[o[d]];s.push(a)}return s}function bf(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let s=e[o][0];if(s.length!=n)return!1;if(s!=t){for(let i=0;i<n;i++)
if(s[i]!=t[i])return!1}}return!0}function yf(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,s=n-1;for(;o<=s&&e[o]==null;)o++;for(;s>=o&&e[s]==null;)s--;if(s<=
o)return!0;let i=kt(1,Ft((s-o+1)/t));for(let l=e[o],a=o+i;a<=s;a+=i){let d=e[a];if(d!=null){if(d<=l)return!1;l=d}}return!0}var Kc=["January","February","March",
"April","May","June","July","August","September","October","November","December"],Nc=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ic(e){
return e.slice(0,3)}var _f=Nc.map(Ic),vf=Kc.map(Ic),wf={MMMM:Kc,MMM:vf,WWWW:Nc,WWW:_f};function Ar(e){return(e<10?"0":"")+e}function kf(e){return(e<10?"00":e<100?
"0":"")+e}var xf={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Ar(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>Ar(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Ar(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Ar(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>Ar(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>kf(e.getMilliseconds())};function Dl(e,t){t=t||wf;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,
s;for(;s=o.exec(e);)n.push(s[0][0]=="{"?xf[s[1]]:s[0]);return i=>{let l="";for(let a=0;a<n.length;a++)l+=typeof n[a]=="string"?n[a]:n[a](i,t);return l}}var Tf=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function Sf(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Tf?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var zc=e=>e%1==0,Es=[1,2,2.5,5],Cf=Nr(10,-32,0,Es),Uc=Nr(10,0,32,Es),Ef=Uc.filter(
zc),po=Cf.concat(Uc),Ml=`
`,Gc="{YYYY}",lc=Ml+Gc,Hc="{M}/{D}",Or=Ml+Hc,ks=Or+"/{YY}",Wc="{aa}",Pf="{h}:{mm}",Zo=Pf+Wc,ac=Ml+Zo,uc=":{ss}",_e=null;function Bc(e){let t=e*1e3,n=t*60,o=n*60,
s=o*24,i=s*30,l=s*365,d=(e==1?Nr(10,0,3,Es).filter(zc):Nr(10,-3,0,Es)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,s,s*2,s*3,s*
4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,i,i*2,i*3,i*4,i*6,l,l*2,l*5,l*10,l*25,l*50,l*100]),p=[[l,Gc,_e,_e,_e,_e,_e,_e,1],[s*28,"{MMM}",lc,_e,_e,_e,_e,_e,1],[s,Hc,lc,_e,
_e,_e,_e,_e,1],[o,"{h}"+Wc,ks,_e,Or,_e,_e,_e,1],[n,Zo,ks,_e,Or,_e,_e,_e,1],[t,uc,ks+" "+Zo,_e,Or+" "+Zo,_e,ac,_e,1],[e,uc+".{fff}",ks+" "+Zo,_e,Or+" "+Zo,_e,ac,
_e,1]];function h(m){return(y,b,w,D,C,M)=>{let k=[],q=C>=l,T=C>=i&&C<l,X=m(w),F=Se(X*e,3),ee=ul(X.getFullYear(),q?0:X.getMonth(),T||q?1:X.getDate()),V=Se(ee*e,3);
if(T||q){let re=T?C/i:0,W=q?C/l:0,P=F==V?F:Se(ul(ee.getFullYear()+W,ee.getMonth()+re,1)*e,3),Y=new Date(Ye(P/e)),$=Y.getFullYear(),Q=Y.getMonth();for(let H=0;P<=
D;H++){let ae=ul($+W*H,Q+re*H,1),G=ae-m(Se(ae*e,3));P=Se((+ae+G)*e,3),P<=D&&k.push(P)}}else{let re=C>=s?s:C,W=Ft(w)-Ft(F),P=V+W+Ms(F-V,re);k.push(P);let Y=m(P),
$=Y.getHours()+Y.getMinutes()/n+Y.getSeconds()/o,Q=C/o,H=y.axes[b]._space,ae=M/H;for(;P=Se(P+C,e==1?0:3),!(P>D);)if(Q>1){let G=Ft(Se($+Q,6))%24,ce=m(P).getHours()-
G;ce>1&&(ce=-1),P-=ce*o,$=($+Q)%24;let ke=k[k.length-1];Se((P-ke)/C,3)*ae>=.7&&k.push(P)}else k.push(P)}return k}}return[d,p,h]}var[Df,Mf,Rf]=Bc(1),[qf,Af,$f]=Bc(
.001);Nr(2,-53,53,[1]);function cc(e,t){return e.map(n=>n.map((o,s)=>s==0||s==8||o==null?o:t(s==1||n[8]==0?o:n[1]+o)))}function dc(e,t){return(n,o,s,i,l)=>{let a=t.
find(w=>l>=w[0])||t[t.length-1],d,p,h,m,y,b;return o.map(w=>{let D=e(w),C=D.getFullYear(),M=D.getMonth(),k=D.getDate(),q=D.getHours(),T=D.getMinutes(),X=D.getSeconds(),
F=C!=d&&a[2]||M!=p&&a[3]||k!=h&&a[4]||q!=m&&a[5]||T!=y&&a[6]||X!=b&&a[7]||a[1];return d=C,p=M,h=k,m=q,y=T,b=X,F(D)})}}function Lf(e,t){let n=Dl(t);return(o,s,i,l,a)=>s.
map(d=>n(e(d)))}function ul(e,t,n){return new Date(e,t,n)}function pc(e,t){return t(e)}var Of="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function mc(e,t){return(n,o,s,i)=>i==
null?xl:t(e(o))}function Ff(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Kf(e,t){return e.series[t].fill(
e,t)}var Nf={show:!0,live:!0,isolate:!1,mount:of,markers:{show:!0,width:2,stroke:Ff,fill:Kf,dash:"solid"},idx:null,idxs:null,values:[]};function If(e,t){let n=e.
cursor.points,o=Bt(),s=n.size(e,t);Re(o,$r,s),Re(o,Lr,s);let i=s/-2;Re(o,"marginLeft",i),Re(o,"marginTop",i);let l=n.width(e,t,s);return l&&Re(o,"borderWidth",l),
o}function zf(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Uf(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Gf(e,t){return e.
series[t].points.size}var cl=[0,0];function Hf(e,t,n){return cl[0]=t,cl[1]=n,cl}function xs(e,t,n,o=!0){return s=>{s.button==0&&(!o||s.target==t)&&n(s)}}function dl(e,t,n,o=!0){
return s=>{(!o||s.target==t)&&n(s)}}var Wf={show:!0,x:!0,y:!0,lock:!1,move:Hf,points:{one:!1,show:If,size:Gf,width:0,stroke:Uf,fill:zf},bind:{mousedown:xs,mouseup:xs,
click:xs,dblclick:xs,mousemove:dl,mouseleave:dl,mouseenter:dl},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,o,s)=>o-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},jc={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Rl=Be({},jc,{filter:Ac}),Vc=Be({},Rl,{size:10}),Yc=Be({},jc,{show:!1}),ql='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Zc="bold "+ql,Qc=1.5,fc={
show:!0,scale:"x",stroke:kl,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Zc,side:2,grid:Rl,ticks:Vc,border:Yc,font:ql,lineGap:Qc,rotate:0},
Bf="Value",jf="Time",gc={show:!0,scale:"x",auto:!1,sorted:1,min:Te,max:-Te,idxs:[]};function Vf(e,t,n,o,s){return t.map(i=>i==null?"":El(i))}function Yf(e,t,n,o,s,i,l){
let a=[],d=Bn.get(s)||0;n=l?n:Se(Ms(n,s),d);for(let p=n;p<=o;p=Se(p+s,d))a.push(Object.is(p,-0)?0:p);return a}function bl(e,t,n,o,s,i,l){let a=[],d=e.scales[e.axes[t].
scale].log,p=d==10?Cn:Mc,h=Ft(p(n));s=Jo(d,h),d==10&&(s=po[nn(s,po)]);let m=n,y=s*d;d==10&&(y=po[nn(y,po)]);do a.push(m),m=m+s,d==10&&!Bn.has(m)&&(m=Se(m,Bn.get(
s))),m>=y&&(s=m,y=s*d,d==10&&(y=po[nn(y,po)]));while(m<=o);return a}function Zf(e,t,n,o,s,i,l){let d=e.scales[e.axes[t].scale].asinh,p=o>d?bl(e,t,kt(d,n),o,s):[
d],h=o>=0&&n<=0?[0]:[];return(n<-d?bl(e,t,kt(d,-o),-n,s):[d]).reverse().map(y=>-y).concat(h,p)}var Jc=/./,Qf=/[12357]/,Jf=/[125]/,hc=/1/,yl=(e,t,n,o)=>e.map((s,i)=>t==
4&&s==0||i%o==0&&n.test(s.toExponential()[s<0?1:0])?s:null);function Xf(e,t,n,o,s){let i=e.axes[n],l=i.scale,a=e.scales[l],d=e.valToPos,p=i._space,h=d(10,l),m=d(
9,l)-h>=p?Jc:d(7,l)-h>=p?Qf:d(5,l)-h>=p?Jf:hc;if(m==hc){let y=Ze(d(1,l)-h);if(y<p)return yl(t.slice().reverse(),a.distr,m,jt(p/y)).reverse()}return yl(t,a.distr,
m,1)}function eg(e,t,n,o,s){let i=e.axes[n],l=i.scale,a=i._space,d=e.valToPos,p=Ze(d(1,l)-d(2,l));return p<a?yl(t.slice().reverse(),3,Jc,jt(a/p)).reverse():t}function tg(e,t,n,o){
return o==null?xl:t==null?"":El(t)}var bc={show:!0,scale:"y",stroke:kl,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Zc,side:3,grid:Rl,ticks:Vc,
border:Yc,font:ql,lineGap:Qc,rotate:0};function ng(e,t){let n=3+(e||1)*2;return Se(n*t,3)}function og(e,t){let{scale:n,idxs:o}=e.series[0],s=e._data[0],i=e.valToPos(
s[o[0]],n,!0),l=e.valToPos(s[o[1]],n,!0),a=Ze(l-i),d=e.series[t],p=a/(d.points.space*he);return o[1]-o[0]<=p}var yc={scale:null,auto:!0,sorted:0,min:Te,max:-Te},
Xc=(e,t,n,o,s)=>s,_c={show:!0,auto:!0,sorted:0,gaps:Xc,alpha:1,facets:[Be({},yc,{scale:"x"}),Be({},yc,{scale:"y"})]},vc={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:Xc,alpha:1,points:{show:og,filter:null},values:null,min:Te,max:-Te,idxs:[],path:null,clip:null};function rg(e,t,n,o,s){return n/10}var ed={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},sg=Be({},ed,{time:!1,ori:1}),wc={};function td(e,t){let n=wc[e];return n||(n={key:e,plots:[],sub(o){n.plots.
push(o)},unsub(o){n.plots=n.plots.filter(s=>s!=o)},pub(o,s,i,l,a,d,p){for(let h=0;h<n.plots.length;h++)n.plots[h]!=s&&n.plots[h].pub(o,s,i,l,a,d,p)}},e!=null&&(wc[e]=
n)),n}var tr=1,_l=2;function ho(e,t,n){let o=e.mode,s=e.series[t],i=o==2?e._data[t]:e._data,l=e.scales,a=e.bbox,d=i[0],p=o==2?i[1]:i[t],h=o==2?l[s.facets[0].scale]:
l[e.series[0].scale],m=o==2?l[s.facets[1].scale]:l[s.scale],y=a.left,b=a.top,w=a.width,D=a.height,C=e.valToPosH,M=e.valToPosV;return h.ori==0?n(s,d,p,h,m,C,M,y,
b,w,D,As,or,Ls,od,sd):n(s,d,p,h,m,M,C,b,y,D,w,$s,rr,Ll,rd,id)}function Al(e,t){let n=0,o=0,s=me(e.bands,Pl);for(let i=0;i<s.length;i++){let l=s[i];l.series[0]==
t?n=l.dir:l.series[1]==t&&(l.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function ig(e,t,n,o,s){let i=e.mode,l=e.series[t],a=i==2?l.facets[1].scale:l.scale,
d=e.scales[a];return s==-1?d.min:s==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function En(e,t,n,o,s,i){return ho(e,t,(l,a,d,p,h,m,y,b,w,D,C)=>{let M=l.pxRound,k=p.
dir*(p.ori==0?1:-1),q=p.ori==0?or:rr,T,X;k==1?(T=n,X=o):(T=o,X=n);let F=M(m(a[T],p,D,b)),ee=M(y(d[T],h,C,w)),V=M(m(a[X],p,D,b)),re=M(y(i==1?h.max:h.min,h,C,w)),
W=new Path2D(s);return q(W,V,re),q(W,F,re),q(W,F,ee),W})}function qs(e,t,n,o,s,i){let l=null;if(e.length>0){l=new Path2D;let a=t==0?Ls:Ll,d=n;for(let m=0;m<e.length;m++){
let y=e[m];if(y[1]>y[0]){let b=y[0]-d;b>0&&a(l,d,o,b,o+i),d=y[1]}}let p=n+s-d,h=10;p>0&&a(l,d,o-h/2,p,o+i+h)}return l}function lg(e,t,n){let o=e[e.length-1];o&&
o[0]==t?o[1]=n:e.push([t,n])}function $l(e,t,n,o,s,i,l){let a=[],d=e.length;for(let p=s==1?n:o;p>=n&&p<=o;p+=s)if(t[p]===null){let m=p,y=p;if(s==1)for(;++p<=o&&
t[p]===null;)y=p;else for(;--p>=n&&t[p]===null;)y=p;let b=i(e[m]),w=y==m?b:i(e[y]),D=m-s;b=l<=0&&D>=0&&D<d?i(e[D]):b;let M=y+s;w=l>=0&&M>=0&&M<d?i(e[M]):w,w>=b&&
a.push([b,w])}return a}function kc(e){return e==0?qc:e==1?Ye:t=>co(t,e)}function nd(e){let t=e==0?As:$s,n=e==0?(s,i,l,a,d,p)=>{s.arcTo(i,l,a,d,p)}:(s,i,l,a,d,p)=>{
s.arcTo(l,i,d,a,p)},o=e==0?(s,i,l,a,d)=>{s.rect(i,l,a,d)}:(s,i,l,a,d)=>{s.rect(l,i,d,a)};return(s,i,l,a,d,p=0,h=0)=>{p==0&&h==0?o(s,i,l,a,d):(p=on(p,a/2,d/2),h=
on(h,a/2,d/2),t(s,i+p,l),n(s,i+a,l,i+a,l+d,p),n(s,i+a,l+d,i,l+d,h),n(s,i,l+d,i,l,h),n(s,i,l,i+a,l,p),s.closePath())}}var As=(e,t,n)=>{e.moveTo(t,n)},$s=(e,t,n)=>{
e.moveTo(n,t)},or=(e,t,n)=>{e.lineTo(t,n)},rr=(e,t,n)=>{e.lineTo(n,t)},Ls=nd(0),Ll=nd(1),od=(e,t,n,o,s,i)=>{e.arc(t,n,o,s,i)},rd=(e,t,n,o,s,i)=>{e.arc(n,t,o,s,i)},
sd=(e,t,n,o,s,i,l)=>{e.bezierCurveTo(t,n,o,s,i,l)},id=(e,t,n,o,s,i,l)=>{e.bezierCurveTo(n,t,s,o,l,i)};function ld(e){return(t,n,o,s,i)=>ho(t,n,(l,a,d,p,h,m,y,b,w,D,C)=>{
let{pxRound:M,points:k}=l,q,T;p.ori==0?(q=As,T=od):(q=$s,T=rd);let X=Se(k.width*he,3),F=(k.size-k.width)/2*he,ee=Se(F*2,3),V=new Path2D,re=new Path2D,{left:W,top:P,
width:Y,height:$}=t.bbox;Ls(re,W-ee,P-ee,Y+ee*2,$+ee*2);let Q=H=>{if(d[H]!=null){let ae=M(m(a[H],p,D,b)),G=M(y(d[H],h,C,w));q(V,ae+F,G),T(V,ae,G,F,0,Ts*2)}};if(i)
i.forEach(Q);else for(let H=o;H<=s;H++)Q(H);return{stroke:X>0?V:null,fill:V,clip:re,flags:tr|_l}})}function ad(e){return(t,n,o,s,i,l)=>{o!=s&&(i!=o&&l!=o&&e(t,n,
o),i!=s&&l!=s&&e(t,n,s),e(t,n,l))}}var ag=ad(or),ug=ad(rr);function ud(e){let t=me(e?.alignGaps,0);return(n,o,s,i)=>ho(n,o,(l,a,d,p,h,m,y,b,w,D,C)=>{[s,i]=Ps(d,
s,i);let M=l.pxRound,k=$=>M(m($,p,D,b)),q=$=>M(y($,h,C,w)),T,X;p.ori==0?(T=or,X=ag):(T=rr,X=ug);let F=p.dir*(p.ori==0?1:-1),ee={stroke:new Path2D,fill:null,clip:null,
band:null,gaps:null,flags:tr},V=ee.stroke,re=!1;if(i-s>=D*4){let $=z=>n.posToVal(z,p.key,!0),Q=null,H=null,ae,G,xt,qe=k(a[F==1?s:i]),ce=k(a[s]),ke=k(a[i]),se=$(
F==1?ce+1:ke-1);for(let z=F==1?s:i;z>=s&&z<=i;z+=F){let je=a[z],Ae=(F==1?je<se:je>se)?qe:k(je),be=d[z];Ae==qe?be!=null?(G=be,Q==null?(T(V,Ae,q(G)),ae=Q=H=G):G<Q?
Q=G:G>H&&(H=G)):be===null&&(re=!0):(Q!=null&&X(V,qe,q(Q),q(H),q(ae),q(G)),be!=null?(G=be,T(V,Ae,q(G)),Q=H=ae=G):(Q=H=null,be===null&&(re=!0)),qe=Ae,se=$(qe+F))}
Q!=null&&Q!=H&&xt!=qe&&X(V,qe,q(Q),q(H),q(ae),q(G))}else for(let $=F==1?s:i;$>=s&&$<=i;$+=F){let Q=d[$];Q===null?re=!0:Q!=null&&T(V,k(a[$]),q(Q))}let[P,Y]=Al(n,
o);if(l.fill!=null||P!=0){let $=ee.fill=new Path2D(V),Q=l.fillTo(n,o,l.min,l.max,P),H=q(Q),ae=k(a[s]),G=k(a[i]);F==-1&&([G,ae]=[ae,G]),T($,G,H),T($,ae,H)}if(!l.
spanGaps){let $=[];re&&$.push(...$l(a,d,s,i,F,k,t)),ee.gaps=$=l.gaps(n,o,s,i,$),ee.clip=qs($,p.ori,b,w,D,C)}return Y!=0&&(ee.band=Y==2?[En(n,o,s,i,V,-1),En(n,o,
s,i,V,1)]:En(n,o,s,i,V,Y)),ee})}function cg(e){let t=me(e.align,1),n=me(e.ascDesc,!1),o=me(e.alignGaps,0),s=me(e.extend,!1);return(i,l,a,d)=>ho(i,l,(p,h,m,y,b,w,D,C,M,k,q)=>{
[a,d]=Ps(m,a,d);let T=p.pxRound,{left:X,width:F}=i.bbox,ee=ce=>T(w(ce,y,k,C)),V=ce=>T(D(ce,b,q,M)),re=y.ori==0?or:rr,W={stroke:new Path2D,fill:null,clip:null,band:null,
gaps:null,flags:tr},P=W.stroke,Y=y.dir*(y.ori==0?1:-1),$=V(m[Y==1?a:d]),Q=ee(h[Y==1?a:d]),H=Q,ae=Q;s&&t==-1&&(ae=X,re(P,ae,$)),re(P,Q,$);for(let ce=Y==1?a:d;ce>=
a&&ce<=d;ce+=Y){let ke=m[ce];if(ke==null)continue;let se=ee(h[ce]),z=V(ke);t==1?re(P,se,$):re(P,H,z),re(P,se,z),$=z,H=se}let G=H;s&&t==1&&(G=X+F,re(P,G,$));let[
xt,qe]=Al(i,l);if(p.fill!=null||xt!=0){let ce=W.fill=new Path2D(P),ke=p.fillTo(i,l,p.min,p.max,xt),se=V(ke);re(ce,G,se),re(ce,ae,se)}if(!p.spanGaps){let ce=[];ce.
push(...$l(h,m,a,d,Y,ee,o));let ke=p.width*he/2,se=n||t==1?ke:-ke,z=n||t==-1?-ke:ke;ce.forEach(je=>{je[0]+=se,je[1]+=z}),W.gaps=ce=p.gaps(i,l,a,d,ce),W.clip=qs(
ce,y.ori,C,M,k,q)}return qe!=0&&(W.band=qe==2?[En(i,l,a,d,P,-1),En(i,l,a,d,P,1)]:En(i,l,a,d,P,qe)),W})}function xc(e,t,n,o,s,i,l=Te){if(e.length>1){let a=null;for(let d=0,
p=1/0;d<e.length;d++)if(t[d]!==void 0){if(a!=null){let h=Ze(e[d]-e[a]);h<p&&(p=h,l=Ze(n(e[d],o,s,i)-n(e[a],o,s,i)))}a=d}}return l}function dg(e){e=e||Kr;let t=me(
e.size,[.6,Te,1]),n=e.align||0,o=e.gap||0,s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let i=le(s),l=1-t[0],a=me(t[1],Te),d=me(t[2],1),p=me(e.disp,Kr),
h=me(e.each,b=>{}),{fill:m,stroke:y}=p;return(b,w,D,C)=>ho(b,w,(M,k,q,T,X,F,ee,V,re,W,P)=>{let Y=M.pxRound,$=n,Q=o*he,H=a*he,ae=d*he,G,xt;T.ori==0?[G,xt]=i(b,w):
[xt,G]=i(b,w);let qe=T.dir*(T.ori==0?1:-1),ce=T.ori==0?Ls:Ll,ke=T.ori==0?h:(O,Ce,Ve,wo,Qn,sn,Jn)=>{h(O,Ce,Ve,Qn,wo,Jn,sn)},se=me(b.bands,Pl).find(O=>O.series[0]==
w),z=se!=null?se.dir:0,je=M.fillTo(b,w,M.min,M.max,z),dt=Y(ee(je,X,P,re)),Ae,be,Vt,Pt=W,Fe=Y(M.width*he),rn=!1,bn=null,It=null,Pn=null,yo=null;m!=null&&(Fe==0||
y!=null)&&(rn=!0,bn=m.values(b,w,D,C),It=new Map,new Set(bn).forEach(O=>{O!=null&&It.set(O,new Path2D)}),Fe>0&&(Pn=y.values(b,w,D,C),yo=new Map,new Set(Pn).forEach(
O=>{O!=null&&yo.set(O,new Path2D)})));let{x0:_o,size:ir}=p;if(_o!=null&&ir!=null){$=1,k=_o.values(b,w,D,C),_o.unit==2&&(k=k.map(Ve=>b.posToVal(V+Ve*W,T.key,!0)));
let O=ir.values(b,w,D,C);ir.unit==2?be=O[0]*W:be=F(O[0],T,W,V)-F(0,T,W,V),Pt=xc(k,q,F,T,W,V,Pt),Vt=Pt-be+Q}else Pt=xc(k,q,F,T,W,V,Pt),Vt=Pt*l+Q,be=Pt-Vt;Vt<1&&(Vt=
0),Fe>=be/2&&(Fe=0),Vt<5&&(Y=qc);let zr=Vt>0,Yn=Pt-Vt-(zr?Fe:0);be=Y(hl(Yn,ae,H)),Ae=($==0?be/2:$==qe?0:be)-$*qe*(($==0?Q/2:0)+(zr?Fe/2:0));let pt={stroke:null,
fill:null,clip:null,band:null,gaps:null,flags:0},vo=rn?null:new Path2D,yn=null;if(se!=null)yn=b.data[se.series[1]];else{let{y0:O,y1:Ce}=p;O!=null&&Ce!=null&&(q=
Ce.values(b,w,D,C),yn=O.values(b,w,D,C))}let Zn=G*be,oe=xt*be;for(let O=qe==1?D:C;O>=D&&O<=C;O+=qe){let Ce=q[O];if(Ce==null)continue;if(yn!=null){let Tt=yn[O]??
0;if(Ce-Tt==0)continue;dt=ee(Tt,X,P,re)}let Ve=T.distr!=2||p!=null?k[O]:O,wo=F(Ve,T,W,V),Qn=ee(me(Ce,je),X,P,re),sn=Y(wo-Ae),Jn=Y(kt(Qn,dt)),Dt=Y(on(Qn,dt)),zt=Jn-
Dt;if(Ce!=null){let Tt=Ce<0?oe:Zn,Yt=Ce<0?Zn:oe;rn?(Fe>0&&Pn[O]!=null&&ce(yo.get(Pn[O]),sn,Dt+Ft(Fe/2),be,kt(0,zt-Fe),Tt,Yt),bn[O]!=null&&ce(It.get(bn[O]),sn,Dt+
Ft(Fe/2),be,kt(0,zt-Fe),Tt,Yt)):ce(vo,sn,Dt+Ft(Fe/2),be,kt(0,zt-Fe),Tt,Yt),ke(b,w,O,sn-Fe/2,Dt,be+Fe,zt)}}return Fe>0?pt.stroke=rn?yo:vo:rn||(pt._fill=M.width==
0?M._fill:M._stroke??M._fill,pt.width=0),pt.fill=rn?It:vo,pt})}function pg(e,t){let n=me(t?.alignGaps,0);return(o,s,i,l)=>ho(o,s,(a,d,p,h,m,y,b,w,D,C,M)=>{[i,l]=
Ps(p,i,l);let k=a.pxRound,q=G=>k(y(G,h,C,w)),T=G=>k(b(G,m,M,D)),X,F,ee;h.ori==0?(X=As,ee=or,F=sd):(X=$s,ee=rr,F=id);let V=h.dir*(h.ori==0?1:-1),re=q(d[V==1?i:l]),
W=re,P=[],Y=[];for(let G=V==1?i:l;G>=i&&G<=l;G+=V)if(p[G]!=null){let qe=d[G],ce=q(qe);P.push(W=ce),Y.push(T(p[G]))}let $={stroke:e(P,Y,X,ee,F,k),fill:null,clip:null,
band:null,gaps:null,flags:tr},Q=$.stroke,[H,ae]=Al(o,s);if(a.fill!=null||H!=0){let G=$.fill=new Path2D(Q),xt=a.fillTo(o,s,a.min,a.max,H),qe=T(xt);ee(G,W,qe),ee(
G,re,qe)}if(!a.spanGaps){let G=[];G.push(...$l(d,p,i,l,V,q,n)),$.gaps=G=a.gaps(o,s,i,l,G),$.clip=qs(G,h.ori,w,D,C,M)}return ae!=0&&($.band=ae==2?[En(o,s,i,l,Q,-1),
En(o,s,i,l,Q,1)]:En(o,s,i,l,Q,ae)),$})}function mg(e){return pg(fg,e)}function fg(e,t,n,o,s,i){let l=e.length;if(l<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),
l==2)o(a,e[1],t[1]);else{let d=Array(l),p=Array(l-1),h=Array(l-1),m=Array(l-1);for(let y=0;y<l-1;y++)h[y]=t[y+1]-t[y],m[y]=e[y+1]-e[y],p[y]=h[y]/m[y];d[0]=p[0];
for(let y=1;y<l-1;y++)p[y]===0||p[y-1]===0||p[y-1]>0!=p[y]>0?d[y]=0:(d[y]=3*(m[y-1]+m[y])/((2*m[y]+m[y-1])/p[y-1]+(m[y]+2*m[y-1])/p[y]),isFinite(d[y])||(d[y]=0));
d[l-1]=p[l-2];for(let y=0;y<l-1;y++)s(a,e[y]+m[y]/3,t[y]+d[y]*m[y]/3,e[y+1]-m[y]/3,t[y+1]-d[y+1]*m[y]/3,e[y+1],t[y+1])}return a}var vl=new Set;function Tc(){for(let e of vl)
e.syncRect(!0)}nr&&(fo(jm,Qo,Tc),fo(Vm,Qo,Tc,!0),fo(Ss,Qo,()=>{Qe.pxRatio=he}));var gg=ud(),hg=ld();function Sc(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):
[e[0]].concat(e.slice(1))).map((i,l)=>wl(i,l,t,n))}function bg(e,t){return e.map((n,o)=>o==0?{}:Be({},t,n))}function wl(e,t,n,o){return Be({},t==0?n:o,e)}function cd(e,t,n){
return t==null?Xo:[t,n]}var yg=cd;function _g(e,t,n){return t==null?Xo:Cs(t,n,Cl,!0)}function dd(e,t,n,o){return t==null?Xo:Ds(t,n,e.scales[o].log,!1)}var vg=dd;
function pd(e,t,n,o){return t==null?Xo:Sl(t,n,e.scales[o].log,!1)}var wg=pd;function kg(e,t,n,o,s){let i=kt(oc(e),oc(t)),l=t-e,a=nn(s/o*l,n);do{let d=n[a],p=o*d/
l;if(p>=s&&i+(d<5?Bn.get(d):0)<=17)return[d,p]}while(++a<n.length);return[0,0]}function Cc(e){let t,n;return e=e.replace(/(\d+)px/,(o,s)=>(t=Ye((n=+s)*he))+"px"),
[e,t,n]}function xg(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=Se(t[2]*he,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Qe(e,t,n){let o={mode:me(
e.mode,1)},s=o.mode;function i(u,c,f,g){let _=c.valToPct(u);return g+f*(c.dir==-1?1-_:_)}function l(u,c,f,g){let _=c.valToPct(u);return g+f*(c.dir==-1?_:1-_)}function a(u,c,f,g){
return c.ori==0?i(u,c,f,g):l(u,c,f,g)}o.valToPosH=i,o.valToPosV=l;let d=!1;o.status=0;let p=o.root=Bt(Dm);if(e.id!=null&&(p.id=e.id),Ot(p,e.class),e.title){let u=Bt(
qm,p);u.textContent=e.title}let h=tn("canvas"),m=o.ctx=h.getContext("2d"),y=Bt(Am,p);fo("click",y,u=>{u.target===w&&(Ee!=qo||$e!=Ao)&&lt.click(o,u)},!0);let b=o.
under=Bt($m,y);y.appendChild(h);let w=o.over=Bt(Lm,y);e=er(e);let D=+me(e.pxAlign,1),C=kc(D);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(o,e)||e)});let M=e.ms||
.001,k=o.series=s==1?Sc(e.series||[],gc,vc,!1):bg(e.series||[null],_c),q=o.axes=Sc(e.axes||[],fc,bc,!0),T=o.scales={},X=o.bands=e.bands||[];X.forEach(u=>{u.fill=
le(u.fill||null),u.dir=me(u.dir,-1)});let F=s==2?k[1].facets[0].scale:k[0].scale,ee={axes:np,series:Qd},V=(e.drawOrder||["axes","series"]).map(u=>ee[u]);function re(u){
let c=u.distr==3?f=>Cn(f>0?f:u.clamp(o,f,u.min,u.max,u.key)):u.distr==4?f=>al(f,u.asinh):u.distr==100?f=>u.fwd(f):f=>f;return f=>{let g=c(f),{_min:_,_max:v}=u,x=v-
_;return(g-_)/x}}function W(u){let c=T[u];if(c==null){let f=(e.scales||Kr)[u]||Kr;if(f.from!=null){W(f.from);let g=Be({},T[f.from],f,{key:u});g.valToPct=re(g),T[u]=
g}else{c=T[u]=Be({},u==F?ed:sg,f),c.key=u;let g=c.time,_=c.range,v=Wn(_);if((u!=F||s==2&&!g)&&(v&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?ec:{mode:1,hard:_[0],
soft:_[0]},max:_[1]==null?ec:{mode:1,hard:_[1],soft:_[1]}},v=!1),!v&&Rs(_))){let x=_;_=(S,E,A)=>E==null?Xo:Cs(E,A,x)}c.range=le(_||(g?yg:u==F?c.distr==3?vg:c.distr==
4?wg:cd:c.distr==3?dd:c.distr==4?pd:_g)),c.auto=le(v?!1:c.auto),c.clamp=le(c.clamp||rg),c._min=c._max=null,c.valToPct=re(c)}}}W("x"),W("y"),s==1&&k.forEach(u=>{
W(u.scale)}),q.forEach(u=>{W(u.scale)});for(let u in e.scales)W(u);let P=T[F],Y=P.distr,$,Q;P.ori==0?(Ot(p,Mm),$=i,Q=l):(Ot(p,Rm),$=l,Q=i);let H={};for(let u in T){
let c=T[u];(c.min!=null||c.max!=null)&&(H[u]={min:c.min,max:c.max},c.min=c.max=null)}let ae=e.tzDate||(u=>new Date(Ye(u/M))),G=e.fmtDate||Dl,xt=M==1?Rf(ae):$f(ae),
qe=dc(ae,cc(M==1?Mf:Af,G)),ce=mc(ae,pc(Of,G)),ke=[],se=o.legend=Be({},Nf,e.legend),z=o.cursor=Be({},Wf,{drag:{y:s==2}},e.cursor),je=se.show,dt=z.show,Ae=se.markers;
se.idxs=ke,Ae.width=le(Ae.width),Ae.dash=le(Ae.dash),Ae.stroke=le(Ae.stroke),Ae.fill=le(Ae.fill);let be,Vt,Pt,Fe=[],rn=[],bn,It=!1,Pn={};if(se.live){let u=k[1]?
k[1].values:null;It=u!=null,bn=It?u(o,1,0):{_:0};for(let c in bn)Pn[c]=xl}if(je)if(be=tn("table",zm,p),Pt=tn("tbody",null,be),se.mount(o,be),It){Vt=tn("thead",null,
be,Pt);let u=tn("tr",null,Vt);tn("th",null,u);for(var yo in bn)tn("th",zu,u).textContent=yo}else Ot(be,Gm),se.live&&Ot(be,Um);let _o={show:!0},ir={show:!1};function zr(u,c){
if(c==0&&(It||!se.live||s==2))return Xo;let f=[],g=tn("tr",Hm,Pt,Pt.childNodes[c]);Ot(g,u.class),u.show||Ot(g,mo);let _=tn("th",null,g);if(Ae.show){let S=Bt(Wm,
_);if(c>0){let E=Ae.width(o,c);E&&(S.style.border=E+"px "+Ae.dash(o,c)+" "+Ae.stroke(o,c)),S.style.background=Ae.fill(o,c)}}let v=Bt(zu,_);u.label instanceof HTMLElement?
v.appendChild(u.label):v.textContent=u.label,c>0&&(Ae.show||(v.style.color=u.width>0?Ae.stroke(o,c):Ae.fill(o,c)),pt("click",_,S=>{if(z._lock)return;eo(S);let E=k.
indexOf(u);if((S.ctrlKey||S.metaKey)!=se.isolate){let A=k.some((L,K)=>K>0&&K!=E&&L.show);k.forEach((L,K)=>{K>0&&an(K,A?K==E?_o:ir:_o,!0,He.setSeries)})}else an(
E,{show:!u.show},!0,He.setSeries)},!1),xo&&pt(Wu,_,S=>{z._lock||(eo(S),an(k.indexOf(u),Lo,!0,He.setSeries))},!1));for(var x in bn){let S=tn("td",Bm,g);S.textContent=
"--",f.push(S)}return[g,f]}let Yn=new Map;function pt(u,c,f,g=!0){let _=Yn.get(c)||{},v=z.bind[u](o,c,f,g);v&&(fo(u,c,_[u]=v),Yn.set(c,_))}function vo(u,c,f){let g=Yn.
get(c)||{};for(let _ in g)(u==null||_==u)&&(gl(_,c,g[_]),delete g[_]);u==null&&Yn.delete(c)}let yn=0,Zn=0,oe=0,O=0,Ce=0,Ve=0,wo=Ce,Qn=Ve,sn=oe,Jn=O,Dt=0,zt=0,Tt=0,
Yt=0;o.bbox={};let Zs=!1,Ur=!1,ko=!1,Xn=!1,Gr=!1,Ut=!1;function Qs(u,c,f){(f||u!=o.width||c!=o.height)&&Xl(u,c),Po(!1),ko=!0,Ur=!0,Do()}function Xl(u,c){o.width=
yn=oe=u,o.height=Zn=O=c,Ce=Ve=0,Hd(),Wd();let f=o.bbox;Dt=f.left=co(Ce*he,.5),zt=f.top=co(Ve*he,.5),Tt=f.width=co(oe*he,.5),Yt=f.height=co(O*he,.5)}let zd=3;function Ud(){
let u=!1,c=0;for(;!u;){c++;let f=ep(c),g=tp(c);u=c==zd||f&&g,u||(Xl(o.width,o.height),Ur=!0)}}function Gd({width:u,height:c}){Qs(u,c)}o.setSize=Gd;function Hd(){
let u=!1,c=!1,f=!1,g=!1;q.forEach((_,v)=>{if(_.show&&_._show){let{side:x,_size:S}=_,E=x%2,A=_.label!=null?_.labelSize:0,L=S+A;L>0&&(E?(oe-=L,x==3?(Ce+=L,g=!0):f=
!0):(O-=L,x==0?(Ve+=L,u=!0):c=!0))}}),to[0]=u,to[1]=f,to[2]=c,to[3]=g,oe-=Dn[1]+Dn[3],Ce+=Dn[3],O-=Dn[2]+Dn[0],Ve+=Dn[0]}function Wd(){let u=Ce+oe,c=Ve+O,f=Ce,g=Ve;
function _(v,x){switch(v){case 1:return u+=x,u-x;case 2:return c+=x,c-x;case 3:return f-=x,f+x;case 0:return g-=x,g+x}}q.forEach((v,x)=>{if(v.show&&v._show){let S=v.
side;v._pos=_(S,v._size),v.label!=null&&(v._lpos=_(S,v.labelSize))}})}if(z.dataIdx==null){let u=z.hover,c=u.skip=new Set(u.skip??[]);c.add(void 0);let f=u.prox=
le(u.prox),g=u.bias??=0;z.dataIdx=(_,v,x,S)=>{if(v==0)return x;let E=x,A=f(_,v,x,S)??Te,L=A>=0&&A<Te,K=P.ori==0?oe:O,J=z.left,fe=t[0],de=t[v];if(c.has(de[x])){E=
null;let ie=null,Z=null,U;if(g==0||g==-1)for(U=x;ie==null&&U-- >0;)c.has(de[U])||(ie=U);if(g==0||g==1)for(U=x;Z==null&&U++<de.length;)c.has(de[U])||(Z=U);if(ie!=
null||Z!=null)if(L){let De=ie==null?-1/0:$(fe[ie],P,K,0),Ke=Z==null?1/0:$(fe[Z],P,K,0),ot=J-De,xe=Ke-J;ot<=xe?ot<=A&&(E=ie):xe<=A&&(E=Z)}else E=Z==null?ie:ie==null?
Z:x-ie<=Z-x?ie:Z}else L&&Ze(J-$(fe[x],P,K,0))>A&&(E=null);return E}}let eo=u=>{z.event=u};z.idxs=ke,z._lock=!1;let ct=z.points;ct.show=le(ct.show),ct.size=le(ct.
size),ct.stroke=le(ct.stroke),ct.width=le(ct.width),ct.fill=le(ct.fill);let ln=o.focus=Be({},e.focus||{alpha:.3},z.focus),xo=ln.prox>=0,To=xo&&ct.one,Gt=[],So=[],
Co=[];function ea(u,c){let f=ct.show(o,c);if(f instanceof HTMLElement)return Ot(f,Im),Ot(f,u.class),gn(f,-10,-10,oe,O),w.insertBefore(f,Gt[c]),f}function ta(u,c){
if(s==1||c>0){let f=s==1&&T[u.scale].time,g=u.value;u.value=f?ic(g)?mc(ae,pc(g,G)):g||ce:g||tg,u.label=u.label||(f?jf:Bf)}if(To||c>0){u.width=u.width==null?1:u.
width,u.paths=u.paths||gg||rf,u.fillTo=le(u.fillTo||ig),u.pxAlign=+me(u.pxAlign,D),u.pxRound=kc(u.pxAlign),u.stroke=le(u.stroke||null),u.fill=le(u.fill||null),u.
_stroke=u._fill=u._paths=u._focus=null;let f=ng(kt(1,u.width),1),g=u.points=Be({},{size:f,width:kt(1,f*.2),stroke:u.stroke,space:f*2,paths:hg,_stroke:null,_fill:null},
u.points);g.show=le(g.show),g.filter=le(g.filter),g.fill=le(g.fill),g.stroke=le(g.stroke),g.paths=le(g.paths),g.pxAlign=u.pxAlign}if(je){let f=zr(u,c);Fe.splice(
c,0,f[0]),rn.splice(c,0,f[1]),se.values.push(null)}if(dt){ke.splice(c,0,null);let f=null;To?c==0&&(f=ea(u,c)):c>0&&(f=ea(u,c)),Gt.splice(c,0,f),So.splice(c,0,0),
Co.splice(c,0,0)}nt("addSeries",c)}function Bd(u,c){c=c??k.length,u=s==1?wl(u,c,gc,vc):wl(u,c,{},_c),k.splice(c,0,u),ta(k[c],c)}o.addSeries=Bd;function jd(u){if(k.
splice(u,1),je){se.values.splice(u,1),rn.splice(u,1);let c=Fe.splice(u,1)[0];vo(null,c.firstChild),c.remove()}dt&&(ke.splice(u,1),Gt.splice(u,1)[0].remove(),So.
splice(u,1),Co.splice(u,1)),nt("delSeries",u)}o.delSeries=jd;let to=[!1,!1,!1,!1];function Vd(u,c){if(u._show=u.show,u.show){let f=u.side%2,g=T[u.scale];g==null&&
(u.scale=f?k[1].scale:F,g=T[u.scale]);let _=g.time;u.size=le(u.size),u.space=le(u.space),u.rotate=le(u.rotate),Wn(u.incrs)&&u.incrs.forEach(x=>{!Bn.has(x)&&Bn.set(
x,Lc(x))}),u.incrs=le(u.incrs||(g.distr==2?Ef:_?M==1?Df:qf:po)),u.splits=le(u.splits||(_&&g.distr==1?xt:g.distr==3?bl:g.distr==4?Zf:Yf)),u.stroke=le(u.stroke),u.
grid.stroke=le(u.grid.stroke),u.ticks.stroke=le(u.ticks.stroke),u.border.stroke=le(u.border.stroke);let v=u.values;u.values=Wn(v)&&!Wn(v[0])?le(v):_?Wn(v)?dc(ae,
cc(v,G)):ic(v)?Lf(ae,v):v||qe:v||Vf,u.filter=le(u.filter||(g.distr>=3&&g.log==10?Xf:g.distr==3&&g.log==2?eg:Ac)),u.font=Cc(u.font),u.labelFont=Cc(u.labelFont),u.
_size=u.size(o,null,c,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(to[c]=!0,u._el=Bt(Om,y))}}function lr(u,c,f,g){let[_,v,x,S]=f,
E=c%2,A=0;return E==0&&(S||v)&&(A=c==0&&!_||c==2&&!x?Ye(fc.size/3):0),E==1&&(_||x)&&(A=c==1&&!v||c==3&&!S?Ye(bc.size/2):0),A}let na=o.padding=(e.padding||[lr,lr,
lr,lr]).map(u=>le(me(u,lr))),Dn=o._padding=na.map((u,c)=>u(o,c,to,0)),it,Je=null,Xe=null,Hr=s==1?k[0].idxs:null,Zt=null,ar=!1;function oa(u,c){if(t=u??[],o.data=
o._data=t,s==2){it=0;for(let f=1;f<k.length;f++)it+=t[f][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),Zt=t[0],it=Zt.length;let f=t;if(Y==2){f=t.slice();let g=f[0]=
Array(it);for(let _=0;_<it;_++)g[_]=_}o._data=t=f}if(Po(!0),nt("setData"),Y==2&&(ko=!0),c!==!1){let f=P;f.auto(o,ar)?Js():Rn(F,f.min,f.max),Xn=Xn||z.left>=0,Ut=
!0,Do()}}o.setData=oa;function Js(){ar=!0;let u,c;s==1&&(it>0?(Je=Hr[0]=0,Xe=Hr[1]=it-1,u=t[0][Je],c=t[0][Xe],Y==2?(u=Je,c=Xe):u==c&&(Y==3?[u,c]=Ds(u,u,P.log,!1):
Y==4?[u,c]=Sl(u,u,P.log,!1):P.time?c=u+Ye(86400/M):[u,c]=Cs(u,c,Cl,!0))):(Je=Hr[0]=u=null,Xe=Hr[1]=c=null)),Rn(F,u,c)}let Wr,Eo,Xs,ei,ti,ni,oi,ri,si,St;function ra(u,c,f,g,_,v){
u??=Gu,f??=Pl,g??="butt",_??=Gu,v??="round",u!=Wr&&(m.strokeStyle=Wr=u),_!=Eo&&(m.fillStyle=Eo=_),c!=Xs&&(m.lineWidth=Xs=c),v!=ti&&(m.lineJoin=ti=v),g!=ni&&(m.lineCap=
ni=g),f!=ei&&m.setLineDash(ei=f)}function sa(u,c,f,g){c!=Eo&&(m.fillStyle=Eo=c),u!=oi&&(m.font=oi=u),f!=ri&&(m.textAlign=ri=f),g!=si&&(m.textBaseline=si=g)}function ii(u,c,f,g,_=0){
if(g.length>0&&u.auto(o,ar)&&(c==null||c.min==null)){let v=me(Je,0),x=me(Xe,g.length-1),S=f.min==null?Jm(g,v,x,_,u.distr==3):[f.min,f.max];u.min=on(u.min,f.min=
S[0]),u.max=kt(u.max,f.max=S[1])}}let ia={min:null,max:null};function Yd(){for(let g in T){let _=T[g];H[g]==null&&(_.min==null||H[F]!=null&&_.auto(o,ar))&&(H[g]=
ia)}for(let g in T){let _=T[g];H[g]==null&&_.from!=null&&H[_.from]!=null&&(H[g]=ia)}H[F]!=null&&Po(!0);let u={};for(let g in H){let _=H[g];if(_!=null){let v=u[g]=
er(T[g],af);if(_.min!=null)Be(v,_);else if(g!=F||s==2)if(it==0&&v.from==null){let x=v.range(o,null,null,g);v.min=x[0],v.max=x[1]}else v.min=Te,v.max=-Te}}if(it>
0){k.forEach((g,_)=>{if(s==1){let v=g.scale,x=H[v];if(x==null)return;let S=u[v];if(_==0){let E=S.range(o,S.min,S.max,v);S.min=E[0],S.max=E[1],Je=nn(S.min,t[0]),
Xe=nn(S.max,t[0]),Xe-Je>1&&(t[0][Je]<S.min&&Je++,t[0][Xe]>S.max&&Xe--),g.min=Zt[Je],g.max=Zt[Xe]}else g.show&&g.auto&&ii(S,x,g,t[_],g.sorted);g.idxs[0]=Je,g.idxs[1]=
Xe}else if(_>0&&g.show&&g.auto){let[v,x]=g.facets,S=v.scale,E=x.scale,[A,L]=t[_],K=u[S],J=u[E];K!=null&&ii(K,H[S],v,A,v.sorted),J!=null&&ii(J,H[E],x,L,x.sorted),
g.min=x.min,g.max=x.max}});for(let g in u){let _=u[g],v=H[g];if(_.from==null&&(v==null||v.min==null)){let x=_.range(o,_.min==Te?null:_.min,_.max==-Te?null:_.max,
g);_.min=x[0],_.max=x[1]}}}for(let g in u){let _=u[g];if(_.from!=null){let v=u[_.from];if(v.min==null)_.min=_.max=null;else{let x=_.range(o,v.min,v.max,g);_.min=
x[0],_.max=x[1]}}}let c={},f=!1;for(let g in u){let _=u[g],v=T[g];if(v.min!=_.min||v.max!=_.max){v.min=_.min,v.max=_.max;let x=v.distr;v._min=x==3?Cn(v.min):x==
4?al(v.min,v.asinh):x==100?v.fwd(v.min):v.min,v._max=x==3?Cn(v.max):x==4?al(v.max,v.asinh):x==100?v.fwd(v.max):v.max,c[g]=f=!0}}if(f){k.forEach((g,_)=>{s==2?_>0&&
c.y&&(g._paths=null):c[g.scale]&&(g._paths=null)});for(let g in c)ko=!0,nt("setScale",g);dt&&z.left>=0&&(Xn=Ut=!0)}for(let g in H)H[g]=null}function Zd(u){let c=hl(
Je-1,0,it-1),f=hl(Xe+1,0,it-1);for(;u[c]==null&&c>0;)c--;for(;u[f]==null&&f<it-1;)f++;return[c,f]}function Qd(){if(it>0){let u=k.some(c=>c._focus)&&St!=ln.alpha;
u&&(m.globalAlpha=St=ln.alpha),k.forEach((c,f)=>{if(f>0&&c.show&&(la(f,!1),la(f,!0),c._paths==null)){let g=St;St!=c.alpha&&(m.globalAlpha=St=c.alpha);let _=s==2?
[0,t[f][0].length-1]:Zd(t[f]);c._paths=c.paths(o,f,_[0],_[1]),St!=g&&(m.globalAlpha=St=g)}}),k.forEach((c,f)=>{if(f>0&&c.show){let g=St;St!=c.alpha&&(m.globalAlpha=
St=c.alpha),c._paths!=null&&aa(f,!1);{let _=c._paths!=null?c._paths.gaps:null,v=c.points.show(o,f,Je,Xe,_),x=c.points.filter(o,f,v,_);(v||x)&&(c.points._paths=c.
points.paths(o,f,Je,Xe,x),aa(f,!0))}St!=g&&(m.globalAlpha=St=g),nt("drawSeries",f)}}),u&&(m.globalAlpha=St=1)}}function la(u,c){let f=c?k[u].points:k[u];f._stroke=
f.stroke(o,u),f._fill=f.fill(o,u)}function aa(u,c){let f=c?k[u].points:k[u],{stroke:g,fill:_,clip:v,flags:x,_stroke:S=f._stroke,_fill:E=f._fill,_width:A=f.width}=f.
_paths;A=Se(A*he,3);let L=null,K=A%2/2;c&&E==null&&(E=A>0?"#fff":S);let J=f.pxAlign==1&&K>0;if(J&&m.translate(K,K),!c){let fe=Dt-A/2,de=zt-A/2,ie=Tt+A,Z=Yt+A;L=
new Path2D,L.rect(fe,de,ie,Z)}c?li(S,A,f.dash,f.cap,E,g,_,x,v):Jd(u,S,A,f.dash,f.cap,E,g,_,x,L,v),J&&m.translate(-K,-K)}function Jd(u,c,f,g,_,v,x,S,E,A,L){let K=!1;
E!=0&&X.forEach((J,fe)=>{if(J.series[0]==u){let de=k[J.series[1]],ie=t[J.series[1]],Z=(de._paths||Kr).band;Wn(Z)&&(Z=J.dir==1?Z[0]:Z[1]);let U,De=null;de.show&&
Z&&ef(ie,Je,Xe)?(De=J.fill(o,fe)||v,U=de._paths.clip):Z=null,li(c,f,g,_,De,x,S,E,A,L,U,Z),K=!0}}),K||li(c,f,g,_,v,x,S,E,A,L)}let ua=tr|_l;function li(u,c,f,g,_,v,x,S,E,A,L,K){
ra(u,c,f,g,_),(E||A||K)&&(m.save(),E&&m.clip(E),A&&m.clip(A)),K?(S&ua)==ua?(m.clip(K),L&&m.clip(L),jr(_,x),Br(u,v,c)):S&_l?(jr(_,x),m.clip(K),Br(u,v,c)):S&tr&&(m.
save(),m.clip(K),L&&m.clip(L),jr(_,x),m.restore(),Br(u,v,c)):(jr(_,x),Br(u,v,c)),(E||A||K)&&m.restore()}function Br(u,c,f){f>0&&(c instanceof Map?c.forEach((g,_)=>{
m.strokeStyle=Wr=_,m.stroke(g)}):c!=null&&u&&m.stroke(c))}function jr(u,c){c instanceof Map?c.forEach((f,g)=>{m.fillStyle=Eo=g,m.fill(f)}):c!=null&&u&&m.fill(c)}
function Xd(u,c,f,g){let _=q[u],v;if(g<=0)v=[0,0];else{let x=_._space=_.space(o,u,c,f,g),S=_._incrs=_.incrs(o,u,c,f,g,x);v=kg(c,f,S,g,x)}return _._found=v}function ai(u,c,f,g,_,v,x,S,E,A){
let L=x%2/2;D==1&&m.translate(L,L),ra(S,x,E,A,S),m.beginPath();let K,J,fe,de,ie=_+(g==0||g==3?-v:v);f==0?(J=_,de=ie):(K=_,fe=ie);for(let Z=0;Z<u.length;Z++)c[Z]!=
null&&(f==0?K=fe=u[Z]:J=de=u[Z],m.moveTo(K,J),m.lineTo(fe,de));m.stroke(),D==1&&m.translate(-L,-L)}function ep(u){let c=!0;return q.forEach((f,g)=>{if(!f.show)return;
let _=T[f.scale];if(_.min==null){f._show&&(c=!1,f._show=!1,Po(!1));return}else f._show||(c=!1,f._show=!0,Po(!1));let v=f.side,x=v%2,{min:S,max:E}=_,[A,L]=Xd(g,S,
E,x==0?oe:O);if(L==0)return;let K=_.distr==2,J=f._splits=f.splits(o,g,S,E,A,L,K),fe=_.distr==2?J.map(U=>Zt[U]):J,de=_.distr==2?Zt[J[1]]-Zt[J[0]]:A,ie=f._values=
f.values(o,f.filter(o,fe,g,L,de),g,L,de);f._rotate=v==2?f.rotate(o,ie,g,L):0;let Z=f._size;f._size=jt(f.size(o,ie,g,u)),Z!=null&&f._size!=Z&&(c=!1)}),c}function tp(u){
let c=!0;return na.forEach((f,g)=>{let _=f(o,g,to,u);_!=Dn[g]&&(c=!1),Dn[g]=_}),c}function np(){for(let u=0;u<q.length;u++){let c=q[u];if(!c.show||!c._show)continue;
let f=c.side,g=f%2,_,v,x=c.stroke(o,u),S=f==0||f==3?-1:1,[E,A]=c._found;if(c.label!=null){let ft=c.labelGap*S,qt=Ye((c._lpos+ft)*he);sa(c.labelFont[0],x,"center",
f==2?"top":Uu),m.save(),g==1?(_=v=0,m.translate(qt,Ye(zt+Yt/2)),m.rotate((f==3?-Ts:Ts)/2)):(_=Ye(Dt+Tt/2),v=qt);let ro=Rc(c.label)?c.label(o,u,E,A):c.label;m.fillText(
ro,_,v),m.restore()}if(A==0)continue;let L=T[c.scale],K=g==0?Tt:Yt,J=g==0?Dt:zt,fe=c._splits,de=L.distr==2?fe.map(ft=>Zt[ft]):fe,ie=L.distr==2?Zt[fe[1]]-Zt[fe[0]]:
E,Z=c.ticks,U=c.border,De=Z.show?Z.size:0,Ke=Ye(De*he),ot=Ye((c.alignTo==2?c._size-De-c.gap:c.gap)*he),xe=c._rotate*-Ts/180,Ne=C(c._pos*he),Mt=(Ke+ot)*S,mt=Ne+Mt;
v=g==0?mt:0,_=g==1?mt:0;let Ht=c.font[0],Qt=c.align==1?Yo:c.align==2?sl:xe>0?Yo:xe<0?sl:g==0?"center":f==3?sl:Yo,cn=xe||g==1?"middle":f==2?"top":Uu;sa(Ht,x,Qt,cn);
let Rt=c.font[1]*c.lineGap,Wt=fe.map(ft=>C(a(ft,L,K,J))),Jt=c._values;for(let ft=0;ft<Jt.length;ft++){let qt=Jt[ft];if(qt!=null){g==0?_=Wt[ft]:v=Wt[ft],qt=""+qt;
let ro=qt.indexOf(`
`)==-1?[qt]:qt.split(/\n/gm);for(let gt=0;gt<ro.length;gt++){let Pa=ro[gt];xe?(m.save(),m.translate(_,v+gt*Rt),m.rotate(xe),m.fillText(Pa,0,0),m.restore()):m.fillText(
Pa,_,v+gt*Rt)}}}Z.show&&ai(Wt,Z.filter(o,de,u,A,ie),g,f,Ne,Ke,Se(Z.width*he,3),Z.stroke(o,u),Z.dash,Z.cap);let dn=c.grid;dn.show&&ai(Wt,dn.filter(o,de,u,A,ie),g,
g==0?2:1,g==0?zt:Dt,g==0?Yt:Tt,Se(dn.width*he,3),dn.stroke(o,u),dn.dash,dn.cap),U.show&&ai([Ne],[1],g==0?1:0,g==0?1:2,g==1?zt:Dt,g==1?Yt:Tt,Se(U.width*he,3),U.stroke(
o,u),U.dash,U.cap)}nt("drawAxes")}function Po(u){k.forEach((c,f)=>{f>0&&(c._paths=null,u&&(s==1?(c.min=null,c.max=null):c.facets.forEach(g=>{g.min=null,g.max=null})))})}
let Vr=!1,ui=!1,ur=[];function op(){ui=!1;for(let u=0;u<ur.length;u++)nt(...ur[u]);ur.length=0}function Do(){Vr||(gf(ca),Vr=!0)}function rp(u,c=!1){Vr=!0,ui=c,u(
o),ca(),c&&ur.length>0&&queueMicrotask(op)}o.batch=rp;function ca(){if(Zs&&(Yd(),Zs=!1),ko&&(Ud(),ko=!1),Ur){if(Re(b,Yo,Ce),Re(b,"top",Ve),Re(b,$r,oe),Re(b,Lr,O),
Re(w,Yo,Ce),Re(w,"top",Ve),Re(w,$r,oe),Re(w,Lr,O),Re(y,$r,yn),Re(y,Lr,Zn),h.width=Ye(yn*he),h.height=Ye(Zn*he),q.forEach(({_el:u,_show:c,_size:f,_pos:g,side:_})=>{
if(u!=null)if(c){let v=_===3||_===0?f:0,x=_%2==1;Re(u,x?"left":"top",g-v),Re(u,x?"width":"height",f),Re(u,x?"top":"left",x?Ve:Ce),Re(u,x?"height":"width",x?O:oe),
fl(u,mo)}else Ot(u,mo)}),Wr=Eo=Xs=ti=ni=oi=ri=si=ei=null,St=1,pr(!0),Ce!=wo||Ve!=Qn||oe!=sn||O!=Jn){Po(!1);let u=oe/sn,c=O/Jn;if(dt&&!Xn&&z.left>=0){z.left*=u,z.
top*=c,Mo&&gn(Mo,Ye(z.left),0,oe,O),Ro&&gn(Ro,0,Ye(z.top),oe,O);for(let f=0;f<Gt.length;f++){let g=Gt[f];g!=null&&(So[f]*=u,Co[f]*=c,gn(g,jt(So[f]),jt(Co[f]),oe,
O))}}if(Pe.show&&!Gr&&Pe.left>=0&&Pe.width>0){Pe.left*=u,Pe.width*=u,Pe.top*=c,Pe.height*=c;for(let f in gi)Re($o,f,Pe[f])}wo=Ce,Qn=Ve,sn=oe,Jn=O}nt("setSize"),
Ur=!1}yn>0&&Zn>0&&(m.clearRect(0,0,h.width,h.height),nt("drawClear"),V.forEach(u=>u()),nt("draw")),Pe.show&&Gr&&(Yr(Pe),Gr=!1),dt&&Xn&&(oo(null,!0,!1),Xn=!1),se.
show&&se.live&&Ut&&(mi(),Ut=!1),d||(d=!0,o.status=1,nt("ready")),ar=!1,Vr=!1}o.redraw=(u,c)=>{ko=c||!1,u!==!1?Rn(F,P.min,P.max):Do()};function ci(u,c){let f=T[u];
if(f.from==null){if(it==0){let g=f.range(o,c.min,c.max,u);c.min=g[0],c.max=g[1]}if(c.min>c.max){let g=c.min;c.min=c.max,c.max=g}if(it>1&&c.min!=null&&c.max!=null&&
c.max-c.min<1e-16)return;u==F&&f.distr==2&&it>0&&(c.min=nn(c.min,t[0]),c.max=nn(c.max,t[0]),c.min==c.max&&c.max++),H[u]=c,Zs=!0,Do()}}o.setScale=ci;let di,pi,Mo,
Ro,da,pa,qo,Ao,ma,fa,Ee,$e,Mn=!1,lt=z.drag,et=lt.x,tt=lt.y;dt&&(z.x&&(di=Bt(Km,w)),z.y&&(pi=Bt(Nm,w)),P.ori==0?(Mo=di,Ro=pi):(Mo=pi,Ro=di),Ee=z.left,$e=z.top);let Pe=o.
select=Be({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),$o=Pe.show?Bt(Fm,Pe.over?w:b):null;function Yr(u,c){if(Pe.show){for(let f in u)Pe[f]=u[f],f in
gi&&Re($o,f,u[f]);c!==!1&&nt("setSelect")}}o.setSelect=Yr;function sp(u){if(k[u].show)je&&fl(Fe[u],mo);else if(je&&Ot(Fe[u],mo),dt){let f=To?Gt[0]:Gt[u];f!=null&&
gn(f,-10,-10,oe,O)}}function Rn(u,c,f){ci(u,{min:c,max:f})}function an(u,c,f,g){c.focus!=null&&cp(u),c.show!=null&&k.forEach((_,v)=>{v>0&&(u==v||u==null)&&(_.show=
c.show,sp(v),s==2?(Rn(_.facets[0].scale,null,null),Rn(_.facets[1].scale,null,null)):Rn(_.scale,null,null),Do())}),f!==!1&&nt("setSeries",u,c),g&&mr("setSeries",
o,u,c)}o.setSeries=an;function ip(u,c){Be(X[u],c)}function lp(u,c){u.fill=le(u.fill||null),u.dir=me(u.dir,-1),c=c??X.length,X.splice(c,0,u)}function ap(u){u==null?
X.length=0:X.splice(u,1)}o.addBand=lp,o.setBand=ip,o.delBand=ap;function up(u,c){k[u].alpha=c,dt&&Gt[u]!=null&&(Gt[u].style.opacity=c),je&&Fe[u]&&(Fe[u].style.opacity=
c)}let _n,qn,no,Lo={focus:!0};function cp(u){if(u!=no){let c=u==null,f=ln.alpha!=1;k.forEach((g,_)=>{if(s==1||_>0){let v=c||_==0||_==u;g._focus=c?null:v,f&&up(_,
v?1:ln.alpha)}}),no=u,f&&Do()}}je&&xo&&pt(Bu,be,u=>{z._lock||(eo(u),no!=null&&an(null,Lo,!0,He.setSeries))});function un(u,c,f){let g=T[c];f&&(u=u/he-(g.ori==1?
Ve:Ce));let _=oe;g.ori==1&&(_=O,u=_-u),g.dir==-1&&(u=_-u);let v=g._min,x=g._max,S=u/_,E=v+(x-v)*S,A=g.distr;return A==3?Jo(10,E):A==4?nf(E,g.asinh):A==100?g.bwd(
E):E}function dp(u,c){let f=un(u,F,c);return nn(f,t[0],Je,Xe)}o.valToIdx=u=>nn(u,t[0]),o.posToIdx=dp,o.posToVal=un,o.valToPos=(u,c,f)=>T[c].ori==0?i(u,T[c],f?Tt:
oe,f?Dt:0):l(u,T[c],f?Yt:O,f?zt:0),o.setCursor=(u,c,f)=>{Ee=u.left,$e=u.top,oo(null,c,f)};function ga(u,c){Re($o,Yo,Pe.left=u),Re($o,$r,Pe.width=c)}function ha(u,c){
Re($o,"top",Pe.top=u),Re($o,Lr,Pe.height=c)}let cr=P.ori==0?ga:ha,dr=P.ori==1?ga:ha;function pp(){if(je&&se.live)for(let u=s==2?1:0;u<k.length;u++){if(u==0&&It)
continue;let c=se.values[u],f=0;for(let g in c)rn[u][f++].firstChild.nodeValue=c[g]}}function mi(u,c){if(u!=null&&(u.idxs?u.idxs.forEach((f,g)=>{ke[g]=f}):lf(u.
idx)||ke.fill(u.idx),se.idx=ke[0]),je&&se.live){for(let f=0;f<k.length;f++)(f>0||s==1&&!It)&&mp(f,ke[f]);pp()}Ut=!1,c!==!1&&nt("setLegend")}o.setLegend=mi;function mp(u,c){
let f=k[u],g=u==0&&Y==2?Zt:t[u],_;It?_=f.values(o,u,c)??Pn:(_=f.value(o,c==null?null:g[c],u,c),_=_==null?Pn:{_}),se.values[u]=_}function oo(u,c,f){ma=Ee,fa=$e,[
Ee,$e]=z.move(o,Ee,$e),z.left=Ee,z.top=$e,dt&&(Mo&&gn(Mo,Ye(Ee),0,oe,O),Ro&&gn(Ro,0,Ye($e),oe,O));let g,_=Je>Xe;_n=Te,qn=null;let v=P.ori==0?oe:O,x=P.ori==1?oe:
O;if(Ee<0||it==0||_){g=z.idx=null;for(let S=0;S<k.length;S++){let E=Gt[S];E!=null&&gn(E,-10,-10,oe,O)}xo&&an(null,Lo,!0,u==null&&He.setSeries),se.live&&(ke.fill(
g),Ut=!0)}else{let S,E,A;s==1&&(S=P.ori==0?Ee:$e,E=un(S,F),g=z.idx=nn(E,t[0],Je,Xe),A=$(t[0][g],P,v,0));let L=-10,K=-10,J=0,fe=0,de=!0,ie="",Z="";for(let U=s==2?
1:0;U<k.length;U++){let De=k[U],Ke=ke[U],ot=Ke==null?null:s==1?t[U][Ke]:t[U][1][Ke],xe=z.dataIdx(o,U,g,E),Ne=xe==null?null:s==1?t[U][xe]:t[U][1][xe];if(Ut=Ut||Ne!=
ot||xe!=Ke,ke[U]=xe,U>0&&De.show){let Mt=xe==null?-10:xe==g?A:$(s==1?t[0][xe]:t[U][0][xe],P,v,0),mt=Ne==null?-10:Q(Ne,s==1?T[De.scale]:T[De.facets[1].scale],x,0);
if(xo&&Ne!=null){let Ht=P.ori==1?Ee:$e,Qt=Ze(ln.dist(o,U,xe,mt,Ht));if(Qt<_n){let cn=ln.bias;if(cn!=0){let Rt=un(Ht,De.scale),Wt=Ne>=0?1:-1,Jt=Rt>=0?1:-1;Jt==Wt&&
(Jt==1?cn==1?Ne>=Rt:Ne<=Rt:cn==1?Ne<=Rt:Ne>=Rt)&&(_n=Qt,qn=U)}else _n=Qt,qn=U}}if(Ut||To){let Ht,Qt;P.ori==0?(Ht=Mt,Qt=mt):(Ht=mt,Qt=Mt);let cn,Rt,Wt,Jt,dn,ft,qt=!0,
ro=ct.bbox;if(ro!=null){qt=!1;let gt=ro(o,U);Wt=gt.left,Jt=gt.top,cn=gt.width,Rt=gt.height}else Wt=Ht,Jt=Qt,cn=Rt=ct.size(o,U);if(ft=ct.fill(o,U),dn=ct.stroke(o,
U),To)U==qn&&_n<=ln.prox&&(L=Wt,K=Jt,J=cn,fe=Rt,de=qt,ie=ft,Z=dn);else{let gt=Gt[U];gt!=null&&(So[U]=Wt,Co[U]=Jt,Xu(gt,cn,Rt,qt),Qu(gt,ft,dn),gn(gt,jt(Wt),jt(Jt),
oe,O))}}}}if(To){let U=ln.prox,De=no==null?_n<=U:_n>U||qn!=no;if(Ut||De){let Ke=Gt[0];Ke!=null&&(So[0]=L,Co[0]=K,Xu(Ke,J,fe,de),Qu(Ke,ie,Z),gn(Ke,jt(L),jt(K),oe,
O))}}}if(Pe.show&&Mn)if(u!=null){let[S,E]=He.scales,[A,L]=He.match,[K,J]=u.cursor.sync.scales,fe=u.cursor.drag;if(et=fe._x,tt=fe._y,et||tt){let{left:de,top:ie,width:Z,
height:U}=u.select,De=u.scales[K].ori,Ke=u.posToVal,ot,xe,Ne,Mt,mt,Ht=S!=null&&A(S,K),Qt=E!=null&&L(E,J);Ht&&et?(De==0?(ot=de,xe=Z):(ot=ie,xe=U),Ne=T[S],Mt=$(Ke(
ot,K),Ne,v,0),mt=$(Ke(ot+xe,K),Ne,v,0),cr(on(Mt,mt),Ze(mt-Mt))):cr(0,v),Qt&&tt?(De==1?(ot=de,xe=Z):(ot=ie,xe=U),Ne=T[E],Mt=Q(Ke(ot,J),Ne,x,0),mt=Q(Ke(ot+xe,J),Ne,
x,0),dr(on(Mt,mt),Ze(mt-Mt))):dr(0,x)}else hi()}else{let S=Ze(ma-da),E=Ze(fa-pa);if(P.ori==1){let J=S;S=E,E=J}et=lt.x&&S>=lt.dist,tt=lt.y&&E>=lt.dist;let A=lt.uni;
A!=null?et&&tt&&(et=S>=A,tt=E>=A,!et&&!tt&&(E>S?tt=!0:et=!0)):lt.x&&lt.y&&(et||tt)&&(et=tt=!0);let L,K;et&&(P.ori==0?(L=qo,K=Ee):(L=Ao,K=$e),cr(on(L,K),Ze(K-L)),
tt||dr(0,x)),tt&&(P.ori==1?(L=qo,K=Ee):(L=Ao,K=$e),dr(on(L,K),Ze(K-L)),et||cr(0,v)),!et&&!tt&&(cr(0,0),dr(0,0))}if(lt._x=et,lt._y=tt,u==null){if(f){if(Ea!=null){
let[S,E]=He.scales;He.values[0]=S!=null?un(P.ori==0?Ee:$e,S):null,He.values[1]=E!=null?un(P.ori==1?Ee:$e,E):null}mr(il,o,Ee,$e,oe,O,g)}if(xo){let S=f&&He.setSeries,
E=ln.prox;no==null?_n<=E&&an(qn,Lo,!0,S):_n>E?an(null,Lo,!0,S):qn!=no&&an(qn,Lo,!0,S)}}Ut&&(se.idx=g,mi()),c!==!1&&nt("setCursor")}let An=null;Object.defineProperty(
o,"rect",{get(){return An==null&&pr(!1),An}});function pr(u=!1){u?An=null:(An=w.getBoundingClientRect(),nt("syncRect",An))}function ba(u,c,f,g,_,v,x){z._lock||Mn&&
u!=null&&u.movementX==0&&u.movementY==0||(fi(u,c,f,g,_,v,x,!1,u!=null),u!=null?oo(null,!0,!0):oo(c,!0,!1))}function fi(u,c,f,g,_,v,x,S,E){if(An==null&&pr(!1),eo(
u),u!=null)f=u.clientX-An.left,g=u.clientY-An.top;else{if(f<0||g<0){Ee=-10,$e=-10;return}let[A,L]=He.scales,K=c.cursor.sync,[J,fe]=K.values,[de,ie]=K.scales,[Z,
U]=He.match,De=c.axes[0].side%2==1,Ke=P.ori==0?oe:O,ot=P.ori==1?oe:O,xe=De?v:_,Ne=De?_:v,Mt=De?g:f,mt=De?f:g;if(de!=null?f=Z(A,de)?a(J,T[A],Ke,0):-10:f=Ke*(Mt/xe),
ie!=null?g=U(L,ie)?a(fe,T[L],ot,0):-10:g=ot*(mt/Ne),P.ori==1){let Ht=f;f=g,g=Ht}}E&&(c==null||c.cursor.event.type==il)&&((f<=1||f>=oe-1)&&(f=co(f,oe)),(g<=1||g>=
O-1)&&(g=co(g,O))),S?(da=f,pa=g,[qo,Ao]=z.move(o,f,g)):(Ee=f,$e=g)}let gi={width:0,height:0,left:0,top:0};function hi(){Yr(gi,!1)}let ya,_a,va,wa;function ka(u,c,f,g,_,v,x){
Mn=!0,et=tt=lt._x=lt._y=!1,fi(u,c,f,g,_,v,x,!0,!1),u!=null&&(pt(ll,pl,xa,!1),mr(Hu,o,qo,Ao,oe,O,null));let{left:S,top:E,width:A,height:L}=Pe;ya=S,_a=E,va=A,wa=L}
function xa(u,c,f,g,_,v,x){Mn=lt._x=lt._y=!1,fi(u,c,f,g,_,v,x,!1,!0);let{left:S,top:E,width:A,height:L}=Pe,K=A>0||L>0,J=ya!=S||_a!=E||va!=A||wa!=L;if(K&&J&&Yr(Pe),
lt.setScale&&K&&J){let fe=S,de=A,ie=E,Z=L;if(P.ori==1&&(fe=E,de=L,ie=S,Z=A),et&&Rn(F,un(fe,F),un(fe+de,F)),tt)for(let U in T){let De=T[U];U!=F&&De.from==null&&De.
min!=Te&&Rn(U,un(ie+Z,U),un(ie,U))}hi()}else z.lock&&(z._lock=!z._lock,oo(c,!0,u!=null));u!=null&&(vo(ll,pl),mr(ll,o,Ee,$e,oe,O,null))}function fp(u,c,f,g,_,v,x){
if(z._lock)return;eo(u);let S=Mn;if(Mn){let E=!0,A=!0,L=10,K,J;P.ori==0?(K=et,J=tt):(K=tt,J=et),K&&J&&(E=Ee<=L||Ee>=oe-L,A=$e<=L||$e>=O-L),K&&E&&(Ee=Ee<qo?0:oe),
J&&A&&($e=$e<Ao?0:O),oo(null,!0,!0),Mn=!1}Ee=-10,$e=-10,ke.fill(null),oo(null,!0,!0),S&&(Mn=S)}function Ta(u,c,f,g,_,v,x){z._lock||(eo(u),Js(),hi(),u!=null&&mr(
ju,o,Ee,$e,oe,O,null))}function Sa(){q.forEach(xg),Qs(o.width,o.height,!0)}fo(Ss,Qo,Sa);let Oo={};Oo.mousedown=ka,Oo.mousemove=ba,Oo.mouseup=xa,Oo.dblclick=Ta,Oo.
setSeries=(u,c,f,g)=>{let _=He.match[2];f=_(o,c,f),f!=-1&&an(f,g,!0,!1)},dt&&(pt(Hu,w,ka),pt(il,w,ba),pt(Wu,w,u=>{eo(u),pr(!1)}),pt(Bu,w,fp),pt(ju,w,Ta),vl.add(
o),o.syncRect=pr);let Zr=o.hooks=e.hooks||{};function nt(u,c,f){ui?ur.push([u,c,f]):u in Zr&&Zr[u].forEach(g=>{g.call(null,o,c,f)})}(e.plugins||[]).forEach(u=>{
for(let c in u.hooks)Zr[c]=(Zr[c]||[]).concat(u.hooks[c])});let Ca=(u,c,f)=>f,He=Be({key:null,setSeries:!1,filters:{pub:rc,sub:rc},scales:[F,k[1]?k[1].scale:null],
match:[sc,sc,Ca],values:[null,null]},z.sync);He.match.length==2&&He.match.push(Ca),z.sync=He;let Ea=He.key,bi=td(Ea);function mr(u,c,f,g,_,v,x){He.filters.pub(u,
c,f,g,_,v,x)&&bi.pub(u,c,f,g,_,v,x)}bi.sub(o);function gp(u,c,f,g,_,v,x){He.filters.sub(u,c,f,g,_,v,x)&&Oo[u](null,c,f,g,_,v,x)}o.pub=gp;function hp(){bi.unsub(
o),vl.delete(o),Yn.clear(),gl(Ss,Qo,Sa),p.remove(),be?.remove(),nt("destroy")}o.destroy=hp;function yi(){nt("init",e,t),oa(t||e.data,!1),H[F]?ci(F,H[F]):Js(),Gr=
Pe.show&&(Pe.width>0||Pe.height>0),Xn=Ut=!0,Qs(e.width,e.height)}return k.forEach(ta),q.forEach(Vd),n?n instanceof HTMLElement?(n.appendChild(p),yi()):n(o,yi):yi(),
o}Qe.assign=Be;Qe.fmtNum=El;Qe.rangeNum=Cs;Qe.rangeLog=Ds;Qe.rangeAsinh=Sl;Qe.orient=ho;Qe.pxRatio=he;Qe.join=ff;Qe.fmtDate=Dl,Qe.tzDate=Sf;Qe.sync=td;{Qe.addGap=
lg,Qe.clipGaps=qs;let e=Qe.paths={points:ld};e.linear=ud,e.stepped=cg,e.bars=dg,e.spline=mg}var Tg=200,fd="12px system-ui, sans-serif";function gd(e,t){return new Qe(Cg(t),Sg(t),e)}function Sg(e){let t=e.xs.map(s=>s.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(s=>s.values)];let n=t.map(()=>0),o=e.series.map(s=>s.values.map((i,l)=>n[l]=(n[l]??0)+(i??0)));return[t,...o.map((s,i)=>s.map((l,a)=>e.series[i]?.
values[a]?l:null)).toReversed()]}function Cg(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:Tg,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>Qe.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,o,s)=>Eg(e,o,s)},y:{range:(n,o,s)=>[0,s>0?s*1.06:1]}},axes:Pg(e),series:[{},...t.map(n=>e.kind==="bars"?qg(e,n):Rg(jo(`var(--series-${n})`)))],hooks:{setSelect:[
n=>Ag(n,e)],setCursor:[n=>$g(n,e)]}}}function Eg(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Ol(e),t+1)]}function Ol(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function Pg(e){let[t,n]=[jo("var(--muted)"),jo("var(--hairline)")],o={stroke:t,
font:fd,ticks:{show:!1}},s=e.axis??e.format;return[{...o,size:24,gap:6,grid:{show:!1},space:64,values:(i,l)=>Mg(l,e)},{...o,gap:8,size:(i,l)=>Dg(i,l),grid:{stroke:n,
width:1},space:40,values:(i,l)=>l.map(a=>a===0?"0":s(a))}]}function Dg(e,t){e.ctx.save(),e.ctx.font=fd;let n=Math.max(0,...(t??[]).map(o=>e.ctx.measureText(o).width));
return e.ctx.restore(),Math.ceil(n)+16}function Mg(e,t){let n=(e[1]??0)-(e[0]??0),o=(i,l)=>new Date(l*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...i}),s=i=>o({day:"numeric",month:"short"},i);return n>=28*86400?e.map(i=>o({month:"short",year:"numeric"},i)):n>=86400?e.map(s):e.map(i=>{let l=o({hour:"2-\
digit",minute:"2-digit"},i);return l==="00:00"?s(i):l})}function Rg(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Fl({xs:e,until:t,grain:n},o){
let s=e[o];return s!==void 0&&s.getTime()+Ol({xs:e,grain:n})*1e3>t.getTime()}function qg(e,t){let[n,o]=[jo(`var(--series-${t})`),jo(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],s=e.xs.map((i,l)=>Fl(e,l)?o:n);return{fill:n,width:0,points:{show:!1},paths:Qe.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>s}}})}}function Ag(e,t){if(e.select.width<8)return;let n=o=>new Date(e.posToVal(o,"x")*1e3);t.onZoom(md(n(e.select.left),t),md(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function md(e,t,n=!1){let o=t.xs.findLastIndex(i=>i<=e);o<0&&(o=0);let s=t.xs[o]??e;return n?t.xs[o+
1]??new Date(s.getTime()+Ol(t)*1e3):s}function $g(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let o=t.kind==="bars"?t.xs.findLastIndex(s=>s.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(o<0?null:{index:o,left:n+e.bbox.left/devicePixelRatio+8})}function bo(e){let[t,n]=N(!1),{zone:o}=I();return r("section",{class:"panel","aria-label":e.title,children:[r("header",{children:[r("h2",{children:e.title}),r("\
span",{class:"muted small",children:o}),r("div",{class:"rest",children:[e.tools,r("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":"\
Table"})]})]}),e.note,t?r(Lg,{...e,zone:o}):r(Og,{...e,zone:o})]})}function Ir(e,{grain:t,zone:n}){return t==="hour"?`${Fn(e,n)} ${pn(e,n)}`:t==="day"?Fn(e,n):e.
toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function Lg(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Month",
cell:n=>Ir(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:o=>hd(n.values[o],e),sort:o=>n.values[o]??
-1});return r(Ge,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,o)=>o),id:String,sorted:"-at"})}function hd(e,{format:t}){return e==null?"–":t(e)}function Og(e){
let{series:t,onPick:n}=e,o=ss(()=>Fu(t.map(s=>s.name)).map((s,i)=>t[i]?.slot??s),[t]);return r(R,{children:[r("div",{class:"legend",children:t.map((s,i)=>n&&s.name!==
Bo?r("button",{title:`Only ${s.label??s.name}`,type:"button",onClick:()=>n?.(s.name),children:[r(Kl,{slot:o[i]??8}),s.label??s.name]},s.name):r("span",{children:[
r(Kl,{slot:o[i]??8}),s.label??s.name]},s.name))}),r(Fg,{...e,slots:o})]})}function Kl({slot:e}){return r("i",{style:{background:`var(--series-${e})`}})}function Fg(e){
let t=At(null),[n,o]=N(null),[s,i]=N(0);return ge(()=>{let l=()=>i(a=>a+1);return qr.addEventListener("scheme",l),()=>qr.removeEventListener("scheme",l)},[]),ge(
()=>{let l=t.current;if(!l)return;let a={...e,width:l.clientWidth-16,onPoint:o,onZoom:Kg},d=gd(l,a),p=new ResizeObserver(()=>d.setSize({width:l.clientWidth-16,height:d.
height}));return p.observe(l),()=>{p.disconnect(),d.destroy()}},[e.xs,e.series,e.kind,e.zone,s]),r("div",{class:"plot",ref:t,role:"img","aria-label":Ig(e),children:n&&
r(Ng,{...e,...n})})}function Kg(e,t){te({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function Ng(e){let{series:t,slots:n,
index:o,left:s,xs:i,kind:l}=e,a=t.map((m,y)=>({one:m,slot:n[y]??8,value:m.values[o]??null})).filter(({value:m})=>m!==null&&(l==="lines"||m!==0)),d=i[o];if(!d)return null;
let p=a.reduce((m,{value:y})=>m+(y??0),0),h=s>320;return r("div",{class:"tip","aria-hidden":"true",style:h?{right:`calc(100% - ${s-12}px)`}:{left:`${s+12}px`},children:[
r("div",{children:[r("strong",{children:Ir(d,e)}),l==="bars"&&r("b",{children:e.format(p)})]}),a.map(({one:m,slot:y,value:b})=>r("div",{children:[r(Kl,{slot:y}),
m.label??m.name,r("b",{children:hd(b,e)})]},m.name)),Fl(e,o)&&r("div",{class:"muted",children:"not over yet"})]})}function Ig(e){let{title:t,xs:n,series:o,kind:s}=e,
[i,l]=[n[0],n[n.length-1]];if(!i||!l)return`${t}: nothing`;let a=n.map((p,h)=>s==="bars"?o.reduce((m,y)=>m+(y.values[h]??0),0):Math.max(0,...o.map(m=>m.values[h]??
0))),d=a.indexOf(Math.max(...a));return`${t}, ${Ir(i,e)} to ${Ir(l,e)}, highest ${e.format(a[d]??0)} on ${Ir(n[d]??l,e)}`}function bd({list:e}){return r(R,{children:[r("ul",{class:"meters",children:e.budgets.map(t=>r("li",{children:r(zg,{use:t})},`${t.of} ${t.id} ${t.budget}`))}),r(
"ul",{class:"meters small",children:e.data.map(t=>r("li",{children:r(Ug,{use:t})},`${t.of} ${t.id} ${t.limit}`))})]})}var yd=.9;function zg({use:e}){let{zone:t}=I(),
{used:n,held:o,most:s,remaining:i,unit:l,forecast:a}=e,d=a!==null&&a>s,p=i<=0?"bad":n+o>=yd*s||d?"warn":"",h=`${fn(l,n)} spent, ${fn(l,o)} held, ${fn(l,Math.max(
0,i))} left of ${fn(l,s)}`;return r(R,{children:[r("div",{class:"row",children:[r("span",{children:[r(_d,{use:e})," ",r("strong",{children:Bi(e)})]}),i<=0&&r("s\
pan",{class:"bad",children:o>0&&n<s?"all of it is used or held":"used up"}),r("span",{class:"rest muted small",children:e.reset?r(R,{children:["resets ",r("time",
{title:$t(new Date(e.reset)),children:[Fn(new Date(e.reset),t)," ",pn(new Date(e.reset),t)]})]}):"never resets"})]}),r(vd,{label:`${e.name}: ${Bi(e)}`,said:h,most:s,
used:n,held:o,mark:a,tone:p}),r("div",{class:"row small",children:[r("span",{children:[fn(l,n)," spent"]}),o>0&&r("span",{class:"muted",children:[fn(l,o)," held\
 by running calls"]}),r("span",{class:i<=0?"bad":"muted",children:[fn(l,Math.max(0,i))," left"]}),a!==null&&r("span",{class:`rest ${d?"warn":"muted"}`,children:[
"at this rate ",fn(l,a)," when the ",Wi(e.budget)," ends"]})]})]})}function Ug({use:e}){let{used:t,most:n,remaining:o}=e,s=o<=0?"bad":t>=yd*n?"warn":"",i=`${t} \
used, ${o} left of ${n}`;return r(R,{children:[r("span",{children:[r(_d,{use:e})," ",r("strong",{children:ji(e)})]}),r(vd,{label:`${e.name}: ${ji(e)}`,said:i,most:n,
used:t,held:0,mark:null,tone:s}),r("div",{class:"row",children:[r("span",{children:[B(t)," used"]}),r("span",{class:o<=0?"bad":"muted",children:[B(Math.max(0,o)),
" left"]}),e.reset_ms?r("span",{class:"rest muted",children:["all back in ",Ue(e.reset_ms*1e3)]}):null]})]})}function _d({use:e}){switch(e.of){case"key":return r(
"span",{class:"muted",children:"Key"});case"team":return r("span",{class:"muted",children:["Team ",r("a",{href:ne("/teams/"+encodeURIComponent(e.id)),children:e.
name})]});default:return r("span",{class:"muted",children:["Model ",e.name]})}}function vd({label:e,said:t,most:n,used:o,held:s,mark:i,tone:l}){let a=d=>`${Math.
min(100,Math.max(0,100*d/n))}%`;return r("div",{class:`meter ${l}`,role:"meter","aria-label":e,"aria-valuemin":0,"aria-valuemax":n,"aria-valuenow":Math.min(n,o+
s),"aria-valuetext":t,children:[r("i",{class:"held",style:{width:a(o+s)}}),r("i",{class:"used",style:{width:a(o)}}),i!==null&&r("i",{class:"mark",style:{left:a(
i)}})]})}function jn({tone:e="",children:t}){return r("div",{class:`panel alert ${e}`,children:t})}function Fs({of:e,list:t}){return e.source!=="config"?null:r(jn,{tone:"\
quiet-edge",children:r("span",{children:[e.name," is in the config file, under ",r("code",{children:t}),", and nothing of it can be changed here. Change it ther\
e: Weir reads the file anew within seconds.",t==="keys"&&r(R,{children:[" Another secret is made by ",r("code",{children:"weir keys create --offline"}),", which\
 prints the lines for the file."]})]})})}function Os({at:e}){let{zone:t}=I(),n=new Date(e);return r("time",{title:$t(n),children:ht(n,t)})}function wd({at:e}){let{
zone:t}=I();return r("time",{title:$t(e),children:us(e,t)})}function Ks({of:e}){return r(R,{children:[r("dt",{children:"Id"}),r("dd",{children:[r("span",{class:"\
mono",children:e.id})," ",r(yt,{text:e.id})]}),r("dt",{children:"Models"}),r("dd",{children:r(In,{models:e.models,all:!0})}),e.budgets&&r(R,{children:[r("dt",{children:"\
Calls hold"}),r("dd",{children:e.reserve==="strict"?"the most they can take":"what is usual"})]}),e.cut&&r(R,{children:[r("dt",{children:"Streams"}),r("dd",{children:"\
end when a budget has no room"})]}),e.warn&&r(R,{children:[r("dt",{children:"Warns at"}),r("dd",{children:e.warn.map(t=>`${t} %`).join(", ")})]}),e.created_at&&
r(R,{children:[r("dt",{children:"Made"}),r("dd",{children:r(Os,{at:e.created_at})})]}),e.revoked_at&&r(R,{children:[r("dt",{children:"Revoked"}),r("dd",{children:r(
Os,{at:e.revoked_at})})]})]})}function Ns({of:e,asked:t,command:n,may:o}){return r("section",{class:"panel","aria-label":"Budgets and limits",children:[r("heade\
r",{children:[r("h2",{children:"Budgets and limits"}),r("div",{class:"rest",children:[r(Oe,{route:"GET /admin/v1/limits",asked:t,command:n}),o&&r("button",{class:"\
quiet",onClick:()=>ut("edit"),children:"Change"})]})]}),r(we,{of:e,isEmpty:({data:s,budgets:i})=>s.length+i.length===0,empty:r(R,{children:[r("strong",{children:"\
Nothing bounds it"}),r("span",{children:"It may ask as often, and spend as much, as the providers allow."})]}),children:s=>r(bd,{list:s})})]})}function Is({only:e}){
let{zone:t}=I(),n=bt(ue().params),o=ao(n,t)==="month"?"month":"day",s={query:{by:`model,${o}`,since:n.since,...n.until&&{until:n.until},...e}},i=j("GET /admin/v\
1/usage",s);return r(we,{of:i,children:({data:l,since:a,until:d})=>{if(l.every(m=>m.cost_nanodollars===0))return r("div",{class:"panel state",children:[r("stron\
g",{children:"Nothing was spent in this span"}),r("span",{children:"Choose another one above."})]});let p=Sn(new Date(a),new Date(d),o,t),h=Vo({rows:l,xs:p,zone:t,
group:m=>m.model??"",value:m=>m.cost_nanodollars});return r(bo,{title:`Cost per ${o}, by model`,kind:"bars",grain:o,xs:p,until:new Date,series:h,format:ye,axis:No,
tools:r(Oe,{list:!0,route:"GET /admin/v1/usage",asked:s})})}})}var kd=200,Gg=30;function Hg(e,t=new Date){let n=Lt(Et(t,e).slice(0,10)+"T12:00",e);return Et(new Date(n.getTime()-(Gg-1)*864e5),e).slice(0,10)}function Vn(e,t={}){
let{zone:n}=I(),o=Hg(n),s=j("GET /admin/v1/usage",{query:{by:`${e},day`,since:o,top:kd,...t}}),i=Sn(Lt(o,n),new Date,"day",n).map(a=>a.getTime()),l=new Map;for(let a of s.
data?.data??[])Wg(l,a[e]??"",a,i,ol(a,n));return{of:l,whole:s.data!==null&&l.size<kd,answer:s}}function Wg(e,t,n,o,s){let i=e.get(t);i||e.set(t,i={cost:0,requests:0,
days:o.map(()=>0),last:null}),i.cost+=n.cost_nanodollars,i.requests+=n.requests;let l=o.indexOf(s.getTime());l>=0&&(i.days[l]=(i.days[l]??0)+n.cost_nanodollars),
n.attempts>0&&(i.last===null||s>i.last)&&(i.last=s)}function zs(e){return[{key:"started",title:"Time",cell:t=>r(Nl,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>r(zl,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>r(Us,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>Ue(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>Ue(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${B(t.input_tokens)} → ${B(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider di\
d not say"},{key:"cost",title:"Cost",num:!0,cell:t=>r(Il,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Nl({at:e,zone:t}){let n=new Date(
e);return r("time",{dateTime:e,title:$t(n),children:hu(n,t)})}function Il({nanodollars:e}){return r("span",{title:Le(e),children:ye(e,4)})}function zl({provider:e,
upstream:t}){return r("span",{class:"mono",children:[e,"/",t]})}function Us({status:e,outcome:t,attempts:n=1}){let o=e==="ok"?"good":e==="failed"?"bad":"warn",s=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return r("span",{children:[r("span",{class:o,children:s}),n>1&&r("span",{class:"muted",children:[" ",n," tries"]})]})}function Gs({id:e,onClose:t}){let n={path:{request:e}},o=j("GET /admin/v1/requests/{request}",n);return r(vt,{aside:!0,title:"Request",onClose:t,children:[r("di\
v",{class:"row",children:[r("span",{class:"mono",children:e}),r(yt,{text:e,label:"Copy id"}),r(Oe,{route:"GET /admin/v1/requests/{request}",asked:n,command:`wei\
r requests ${_t(e)}`})]}),r(we,{of:o,children:s=>r(Bg,{request:s})})]})}function Bg({request:e}){let t=e.trail.filter(o=>o.adjusts===null),n=e.trail.filter(o=>o.
adjusts!==null);return r("div",{class:"stack",children:[r(jg,{request:e}),r("section",{class:"stack","aria-label":"Calls",children:[r("h3",{children:[Me(t.length,
"call")," in ",Me(e.attempts,"attempt")]}),t.map(o=>r(Vg,{call:o,request:e},o.seq))]}),n.length>0&&r(Jg,{calls:n}),r(Xg,{request:e})]})}function jg({request:e}){
let{zone:t}=I(),n=[["Status",r(Us,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",r(Nl,{at:e.started,zone:t})],["Key",r("a",{href:ne("/reques\
ts",{key:e.key}),children:e.key_name||e.key})],["Model",r("a",{href:ne("/requests",{model:e.model}),children:e.model})],["Took",Ue(e.took_us)+(e.first_us===null?
"":`, first token after ${Ue(e.first_us)}`)],["Weir’s own part",Ue(e.own_us)],["Tokens",`${B(e.input_tokens)} in, ${B(e.output_tokens)} out${e.estimated?", co\
unted by Weir in part":""}`],["Cost",Le(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",r("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(Hs).join(", ")]),r("dl",{class:"pairs",children:n.map(([o,s])=>[
r("dt",{children:o}),r("dd",{children:s})])})}function Hs(e){return e.replaceAll("_"," ")}function Vg({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return r("div",{class:"panel",children:[r("header",{children:[r("span",{class:"muted",children:e.try}),r(zl,{...e}),r("div",{class:"re\
st wide",children:[r(Us,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),r(Il,{nanodollars:e.cost_nanodollars})]})]}),r("div",{class:"body stack",children:[
r(Zg,{after:n,call:e,whole:t.took_us}),r("p",{class:"small muted",children:[e.call>0&&`after ${Ue(n)}, `,"took ",Ue(e.took_us),e.first_us!==null&&`, first token\
 ${Ue(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(Hs).join(", ")}`,`, tokens ${Yg[e.source]}`]}),r(Qg,{call:e}),e.upstream_id!==
null&&r("p",{class:"small",children:[r("span",{class:"muted",children:"The provider calls it "}),r("span",{class:"mono",children:e.upstream_id}),r(yt,{text:e.upstream_id})]})]})]})}
var Yg={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function Zg({after:e,call:t,whole:n}){let o=a=>n>
0?Math.min(Math.max(a,0),n)/n*400:0,[s,i]=[o(e),o(e+t.took_us)],l=t.first_us===null?i:o(e+t.first_us);return r("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[r("rect",{width:"400",height:"8",class:"rail"}),r("rect",{x:s,width:Math.max(l-s,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),r("rect",{x:l,width:Math.max(i-l,0),height:"8",class:"flow"})]})}function Qg({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:r("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>Hs(n.class)},{key:"units",title:"Units",num:!0,cell:n=>B(n.units)},{key:"price",title:"Each mil\
lion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":Le(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>Le(n.units*n.price/1e3),sum:Le(e.listed_nanodollars)}];
return r(R,{children:[r(Ge,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&r("p",{class:"small muted",children:[
"by the price ",r("span",{class:"mono",children:e.price})]})]})}function Jg({calls:e}){let{zone:t}=I();return r("section",{class:"stack","aria-label":"Correctio\
ns",children:[r("h3",{children:"Corrections"}),e.map(n=>r("p",{children:[ht(new Date(n.started),t),": ",Le(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function Xg({
request:e}){let[t,n]=N(!1),o={query:{model:e.model,key:e.key}},s=j("GET /admin/v1/explain",t?o:null);return r("section",{class:"stack","aria-label":"Explained a\
gain",children:[r("div",{class:"row",children:[r("h3",{children:"What would it meet now?"}),r("button",{onClick:()=>t?s.reload():n(!0),children:"Explain again n\
ow"}),r(yt,{text:`weir explain ${_t(e.model)} --key ${_t(e.key_name||e.key)}`,label:"Copy command"})]}),t&&r(we,{of:s,children:i=>r(eh,{explanation:i})})]})}function eh({
explanation:e}){let t=e.plans.flatMap(o=>o.targets.map(s=>({...s,route:o.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:o=>o.turn??"–"},{key:"target",title:"\
Target",cell:o=>r("span",{class:"mono",children:o.target})},{key:"model",title:"For",cell:o=>o.route},{key:"skip",title:"Note",wrap:!0,cell:o=>o.skip===null?o.breaker===
"closed"?"":r("span",{class:"warn",children:["breaker ",o.breaker]}):r("span",{class:"warn",children:["skipped: ",o.barred??Hs(o.skip)]})}];return r(R,{children:[
e.refused!==null&&r("p",{class:"bad",children:["It would be refused: ",e.refused]}),r(Ge,{label:"Targets in the order of trying",columns:n,rows:t,id:o=>o.route+
o.target})]})}function Ws({children:e}){return r("dl",{class:"panel tiles",children:e})}function Nt({label:e,figure:t,hint:n,tone:o="",children:s}){return r("div",{class:"til\
e",children:[r("dt",{children:e}),r("dd",{class:`figure ${o}`,title:n,children:t}),r("dd",{class:"note",children:s})]})}function xd({name:e}){let t=j("GET /admin/v1/keys/{key}",{path:{key:e}}),n=wn("PATCH /admin/v1/keys/{key}")&&t.data?.source==="store"&&t.data.status!=="revoked";
return r(st,{title:t.data?.name??"Key",up:{path:"/keys",title:"Keys"},mark:t.data&&r(Pr,{of:t.data}),period:!0,of:t,tools:n&&r(th,{}),children:r(we,{of:t,children:o=>r(
nh,{of:o,may:n})})})}function th(){return r(R,{children:[r("button",{onClick:()=>ut("edit"),children:"Edit"}),r("button",{onClick:()=>ut("rotate"),children:"Rot\
ate"}),r("button",{class:"danger",onClick:()=>ut("revoke"),children:"Revoke"})]})}function nh({of:e,may:t}){let[n]=Hn(),o={query:{key:e.id}},s=e.status==="activ\
e"||e.status==="expired",i=j("GET /admin/v1/limits",s?o:null),l=j("GET /admin/v1/requests",{query:{key:e.id,limit:10}}),a=Vn("key",o.query),d=l.data?.data[0]?.started??
null;return r("div",{class:"stack",children:[r(oh,{of:e}),r(rh,{of:e,last:d,spending:a}),r("div",{class:"sides",children:[s&&r(Ns,{of:i,asked:o,command:`weir li\
mits ${e.id}`,may:t}),r(ih,{of:e})]}),r(Is,{only:o.query}),r(lh,{of:l,keyID:e.id}),t&&n==="edit"&&r(Mu,{of:e}),t&&n==="rotate"&&r($u,{of:e}),t&&n==="revoke"&&r(
Lu,{of:e,lastUsed:d?`Its last request came ${kn(Date.now()-Date.parse(d))} ago.`:"It has made no request that is still known."})]})}function oh({of:e}){let{zone:t}=I();
return r(R,{children:[e.unsaved&&r(jn,{tone:"bad-edge",children:[r("strong",{class:"bad",children:"Refused here, but not saved."}),r("span",{children:[e.unsaved.
reason,". Weir tries again. ",e.unsaved.survives_restart?"A restart refuses it, too.":"It works again after a restart."]})]}),e.status==="team_revoked"&&r(jn,{children:[
r("span",{class:"warn",children:"Its team is revoked, or not known here."}),r("span",{children:"The key is refused until it is in another team."})]}),e.status===
"expired"&&r(jn,{children:[r("span",{class:"warn",children:"It has expired."}),r("span",{children:"A later date lets it in again."})]}),e.previous_until&&r(jn,{
tone:"quiet-edge",children:r("span",{children:["The secret before the last rotation works until ",ht(new Date(e.previous_until),t),"."]})}),r(Fs,{of:e,list:"key\
s"})]})}function rh({of:e,last:t,spending:n}){let{zone:o}=I(),s=bt(ue().params),i=j("GET /admin/v1/usage",{query:{by:"key",key:e.id,since:s.since,...s.until&&{until:s.
until}}}),l=n.of.get(e.id)?.cost??0;return r("section",{"aria-label":"Figures",children:r(we,{of:i,children:({data:[a]})=>r(Ws,{children:[r(Nt,{label:`Spent, ${mn(
s,o).toLowerCase()}`,figure:ye(a?.cost_nanodollars??0),hint:Le(a?.cost_nanodollars??0),children:n.answer.data&&`${ye(l)} in 30 days`}),r(Nt,{label:"Requests",figure:B(
a?.requests??0),children:[Me(a?.attempts??0,"call")," to providers"]}),r(Nt,{label:"Tokens",figure:en((a?.input_tokens??0)+(a?.output_tokens??0)),hint:B((a?.input_tokens??
0)+(a?.output_tokens??0)),children:[Ct(a?.cache_read_tokens??0,a?.input_tokens??0)," of prompts from caches"]}),r(Nt,{label:"Last request",figure:t?`${kn(Date.now()-
Date.parse(t)).split(" ").slice(0,2).join(" ")} ago`:"–",children:t?r(Os,{at:t}):"none is known"}),r(sh,{of:e})]})})})}function sh({of:e}){if(!e.expires_at)return r(
Nt,{label:"Expires",figure:"Never"});let t=new Date(e.expires_at),n=t.getTime()-Date.now();return r(Nt,{label:n>0?"Expires":"Expired",figure:n>0?`in ${kn(n).replace(
/ \d+ (min|s)$/,"")}`:`${kn(-n)} ago`,tone:n<hs?"warn":"",children:r(wd,{at:t})})}function ih({of:e}){return r("section",{class:"panel","aria-label":"About the \
key",children:[r("header",{children:r("h2",{children:"About the key"})}),r("dl",{class:"pairs body",children:[r("dt",{children:"Team"}),r("dd",{children:e.team_id?
r("a",{href:ne("/teams/"+encodeURIComponent(e.team_id)),children:e.team??e.team_id}):r("span",{class:"muted",children:"none"})}),r(Ks,{of:e}),r("dt",{children:"\
Repeats"}),r("dd",{children:e.idempotency?r(R,{children:["answers are kept for ",e.idempotency]}):r("span",{class:"muted",children:"Idempotency-Key is refused"})}),
e.explain&&r(R,{children:[r("dt",{children:"Explains"}),r("dd",{children:"with the header Weir-Explain"})]}),r("dt",{children:"Lives in"}),r("dd",{children:e.source===
"config"?"the config file":"the store"})]})]})}function lh({of:e,keyID:t}){let{zone:n}=I(),o=ue().params.get("request");return r("section",{class:"panel","aria-\
label":"Newest requests",children:[r("header",{children:[r("h2",{children:"Newest requests"}),r("div",{class:"rest",children:[r(Oe,{route:"GET /admin/v1/request\
s",asked:{query:{key:t}},command:`weir requests --key ${t}`,list:!0}),r("a",{class:"button quiet",href:ne("/requests",{key:t}),children:"All requests"})]})]}),r(
we,{of:e,isEmpty:({data:s})=>s.length===0,empty:r(R,{children:[r("strong",{children:"No request yet"}),r("span",{children:"Nobody has called with this key, or i\
ts requests are no longer kept."})]}),children:({data:s})=>r(Ge,{label:"Newest requests",columns:zs(n).filter(({key:i})=>i!=="key"),rows:s,id:i=>i.request,selected:o,
onOpen:i=>te({request:i.request})})}),o!==null&&r(Gs,{id:o,onClose:()=>te({request:null})},o)]})}var Td={query:{limit:1e3}},ah=[{value:"",label:"Not revoked"},{value:"active",label:"Active"},{value:"expired",label:"Expired"},{value:"team_revoked",label:"Tea\
m revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function Sd(){let e=j("GET /admin/v1/keys",Td),[t]=Hn(),n=wn("POST /admin/v1/keys"),{params:o}=ue();
return r(st,{title:"Keys",team:!0,of:e,tools:n&&r("button",{class:"primary",onClick:()=>ut("create"),children:"Create key"}),children:[r("section",{class:"panel",
"aria-label":"Keys",children:[r("header",{children:[r(uh,{}),r("div",{class:"rest",children:r(Oe,{list:!0,route:"GET /admin/v1/keys",asked:Td,command:"weir keys\
 list"})})]}),r(we,{of:e,isEmpty:({data:s})=>s.length===0,empty:r(ch,{may:n}),children:({data:s,next:i})=>r(dh,{keys:s,more:i!==null})})]}),t==="create"&&n&&r(_s,
{team:o.get("team")??""})]})}function uh(){let{params:e}=ue();return r("div",{class:"filters",role:"search","aria-label":"Keys",children:[r(pe,{bare:!0,label:"N\
ame, id or model",type:"search",placeholder:"Name, id or model",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),r(at,{bare:!0,label:"Status",value:e.get("status")??
"",options:ah,onChange:t=>te({status:t})})]})}function ch({may:e}){return r(R,{children:[r("strong",{children:"No key yet"}),r("span",{children:"Callers need on\
e. Make it here or on the command line:"}),r("pre",{class:"code",children:"weir keys create --name my-app"}),e&&r("button",{class:"primary",onClick:()=>ut("crea\
te"),children:"Create key"})]})}function dh({keys:e,more:t}){let{zone:n}=I(),o=Vn("key"),{params:s}=ue(),[i,l,a]=[(s.get("q")??"").toLowerCase(),s.get("team")??
"",s.get("status")??""],d=e.filter(p=>ph(p,i)&&(l===""||p.team===l)&&(a==="all"||(a===""?p.status!=="revoked":p.status===a)));return r(R,{children:[d.length===0?
r(mh,{text:s.get("q")??""}):r(Ge,{label:"Keys",columns:fh(n,o),rows:d,id:p=>p.id,sorted:"-spent",most:100}),t&&r("p",{class:"state small",children:["Only the fi\
rst ",B(e.length)," keys are listed. Look for others by their whole name or id."]}),r("p",{class:"unseen",role:"status",children:[d.length," of ",e.length," key\
s are shown"]})]})}function ph(e,t){return t===""||e.name.toLowerCase().includes(t)||e.id.toLowerCase()===t||(e.models??[]).some(n=>n.toLowerCase().includes(t))}
function mh({text:e}){let[t,n]=N(!1);return r("div",{class:"state",children:[r("strong",{children:"No key matches"}),r("div",{class:"row",children:[r("button",{
onClick:()=>te({q:null,status:null,team:null}),children:"Clear filters"}),e!==""&&r("button",{disabled:t,onClick:()=>{n(!0),rt("GET /admin/v1/keys/{key}",{path:{
key:e}}).then(({id:s})=>On(ne("/keys/"+s)),s=>ps(Xt(s).message,!0)).finally(()=>n(!1))},children:["Look for a key called ",e]})]})]})}function fh(e,t){let n=s=>t.
of.get(s.id)?.cost??-1,o=s=>t.of.get(s.id)?.last??null;return[{key:"name",title:"Key",cell:s=>r("div",{class:"words",children:[r("a",{href:ne("/keys/"+encodeURIComponent(
s.id)),children:s.name}),r("span",{class:"second mono",children:s.id})]}),sort:s=>s.name},{key:"team",title:"Team",cell:s=>s.team&&s.team_id?r("a",{href:ne("/te\
ams/"+encodeURIComponent(s.team_id)),children:s.team}):r("span",{class:"muted",children:"–"}),sort:s=>s.team??""},{key:"spent",title:"Spent in 30 days",num:!0,
cell:s=>r(Ho,{spending:t,id:s.id}),sort:n},{key:"last",title:"Last used",cell:s=>r(gh,{at:o(s),spending:t,zone:e}),sort:s=>o(s)?.getTime()??0},{key:"models",title:"\
Models",cell:s=>r(In,{models:s.models}),sort:s=>(s.models??[]).join()},{key:"bounds",title:"Budgets, limits",cell:s=>r(Go,{of:s}),sort:zo},{key:"expires",title:"\
Expires",cell:s=>s.expires_at?r("time",{title:$t(new Date(s.expires_at)),children:us(new Date(s.expires_at),e)}):r("span",{class:"muted",children:"never"}),sort:s=>s.
expires_at?Date.parse(s.expires_at):1/0},{key:"status",title:"Status",cell:s=>r(Uo,{of:s}),sort:s=>Nn(s).word}]}function gh({at:e,spending:t,zone:n}){return e?r(
R,{children:Fn(e,n)}):r("span",{class:"muted",children:t.whole?"not in 30 days":"–"})}function Gl(e){let t=["models:",`  ${Ul(e.id)}:`,`    targets: [${e.targets.map(({target:s})=>Ul(s)).join(", ")}]`];e.policy!=="ordered"&&t.push(`    policy: ${e.
policy}`),e.sticky!=="none"&&t.push(`    sticky: ${e.sticky}`);let[n,...o]=e.fallbacks.map(({on:s,to:i})=>`{on: [${s.join(", ")}], to: [${i.map(Ul).join(", ")}]\
}`);return n!==void 0&&t.push(`    fallbacks: ${o.length===0?n:`[${[n,...o].join(", ")}]`}`),t.join(`
`)+`
`}function Ul(e){return/^[A-Za-z_/][\w./~@+-]*(?: [\w./~@+-]+)*$/.test(e)&&!/^(true|false|null|yes|no|on|off|~)$/i.test(e)?e:JSON.stringify(e)}function Ed(){let{zone:e}=I(),{params:t}=ue(),n=bt(t),o=j("GET /admin/v1/models",{}),s=hh(n.since,n.until),i=t.get("find")??"",l=t.get("model");return r(st,{title:"\
Models",period:!0,of:o,children:[r("section",{class:"panel","aria-label":"Models",children:[r("header",{children:[r(pe,{bare:!0,label:"Find a model or target",type:"\
search",placeholder:"Find a model or target",value:i,onInput:a=>te({find:a},!0)}),r("span",{class:"muted small",children:["Health now; the rest ",mn(n,e).toLowerCase()]}),
r("div",{class:"rest",children:r(Oe,{list:!0,route:"GET /admin/v1/models",asked:{},command:"weir models"})})]}),r(we,{of:o,isEmpty:({data:a})=>a.length===0,empty:r(
Ch,{}),children:({data:a})=>{let d=a.filter(p=>yh(p,i));return d.length===0?r("div",{class:"state",children:["No model and no target has “",i,"” in its name."]}):
r(vh,{models:d,figures:s})}})]}),l!==null&&o.data&&r(Sh,{model:o.data.data.find(a=>a.id===l),name:l})]})}function hh(e,t){let n={since:e,...t&&{until:t}},o=j("G\
ET /admin/v1/usage",{query:{by:"model",...n}}),s=j("GET /admin/v1/latency",{query:{by:"model",...n}}),i=j("GET /admin/v1/latency",{query:{by:"model,target",...n}});
return{usage:new Map((o.data?.data??[]).map(l=>[l.model??"",l])),speeds:new Map((s.data?.data??[]).map(l=>[l.model??"",l])),targets:bh(i.data?.data??[])}}function bh(e){
let t=new Map;for(let n of e)t.set(n.model??"",[...t.get(n.model??"")??[],n]);return t}function yh(e,t){let n=o=>o.toLowerCase().includes(t.trim().toLowerCase());
return n(e.id)||e.targets.some(({target:o})=>n(o))}var _h=[["Requests","Of a target: calls to it"],["Share","Of the calls that requests for the model led to"],[
"Failed","Calls of which the target is at fault"],["First token, p95","95 % of calls had their first content within"],["Whole, p95","95 % of answered calls ende\
d within"],["Cost of 1,000","What 1,000 requests cost"],["From caches","The share of prompts that providers read from their caches"]];function vh({models:e,figures:t}){
return r("div",{class:"scroll",tabIndex:0,role:"region","aria-label":"Models and their targets",children:r("table",{class:"grouped",children:[r("thead",{children:r(
"tr",{children:[r("th",{scope:"col",children:"Model, and its targets in order"}),r("th",{scope:"col",children:"Health"}),_h.map(([n,o])=>r("th",{scope:"col",colSpan:n===
"Share"?2:1,class:n==="Share"?void 0:"num",title:o,children:n},n))]})}),e.map(n=>r(wh,{model:n,figures:t},n.id))]})})}function wh({model:e,figures:t}){let n=t.usage.
get(e.id),o=t.speeds.get(e.id),s=t.targets.get(e.id)??[],i=s.reduce((d,p)=>d+p.calls,0),l=e.targets.map(d=>({target:d,rows:s.filter(p=>Cd(d.target,p.target??""))})),
a=s.filter(d=>!e.targets.some(({target:p})=>Cd(p,d.target??"")));return r("tbody",{children:[r("tr",{class:"first",children:[r("th",{scope:"rowgroup",colSpan:2,
children:[r("a",{href:vr({model:e.id}),children:e.id})," ",r("span",{class:"muted small",children:kh(e)})]}),r("td",{class:"num",children:n?B(n.requests):"–"}),
r("td",{colSpan:2}),r(Hl,{row:o}),r("td",{class:"num",children:n&&n.requests>0?r("span",{title:Le(n.cost_nanodollars)+" in all",children:ye(n.cost_nanodollars*1e3/
n.requests)}):"–"}),r("td",{class:"num",children:n&&n.input_tokens>0?Ct(n.cache_read_tokens,n.input_tokens):"–"})]}),l.map(({target:d,rows:p},h)=>r(xh,{turn:e.
policy==="ordered"?h+1:0,target:d,rows:p,calls:i},d.target)),a.length>0&&r(Th,{rows:a,calls:i}),e.fallbacks.map(d=>r("tr",{class:"then",children:r("td",{colSpan:10,
class:"muted",children:["on ",d.on.map(p=>p.replace("_"," ")).join(", "),": ",d.to.map((p,h)=>r("span",{children:[h>0&&", ",r("a",{href:vr({model:p}),children:p})]},
p))]})},d.on.join()))]})}function Cd(e,t){return e.endsWith("*")?t.startsWith(e.slice(0,-1)):t===e}function kh(e){let t=[e.policy];return e.sticky!=="none"&&t.push(
`sticky by ${e.sticky}`),e.context_length!==null&&t.push(`${B(e.context_length)} tokens`),t.join(" · ")}function xh({turn:e,target:t,rows:n,calls:o}){let s=n.reduce(
(i,l)=>i+l.calls,0);return r("tr",{children:[r("td",{class:"target",children:[r("span",{class:"turn muted",children:e>0?e:"·"}),r("code",{children:t.target}),t.
models_down>0&&r("span",{class:"warn small",children:[" ",t.models_down," of its models down"]})]}),r("td",{children:r(Ui,{health:t.health})}),r("td",{class:"nu\
m",children:o>0?B(s):"–"}),r("td",{class:"num",children:o>0?Ct(s,o):"–"}),r("td",{class:"part",children:o>0&&r(xn,{part:s,whole:o})}),r(Hl,{row:Pd(n)}),r("t\
d",{colSpan:2,class:"muted num",children:t.priced===!1&&"no known price"})]})}function Th({rows:e,calls:t}){let n=e.reduce((o,s)=>o+s.calls,0);return r("tr",{children:[
r("td",{class:"target",colSpan:2,title:e.map(o=>o.target).join(", "),children:[r("span",{class:"turn muted",children:"·"}),r("span",{class:"muted",children:"fa\
llbacks, and targets of before"})]}),r("td",{class:"num",children:B(n)}),r("td",{class:"num",children:Ct(n,t)}),r("td",{class:"part",children:r(xn,{part:n,whole:t})}),
r(Hl,{row:Pd(e)}),r("td",{colSpan:2})]})}function Pd(e){let[t,...n]=e;if(!t||n.length===0)return t;let o={calls:0,p50_us:null,p90_us:null,p95_us:null,p99_us:null};
return{calls:e.reduce((s,i)=>s+i.calls,0),failed:e.reduce((s,i)=>s+i.failed,0),first:o,took:o}}function Hl({row:e}){return r(R,{children:[r("td",{class:e&&e.failed>
0?"num warn":"num",children:e?Ct(e.failed,e.calls):"–"}),r("td",{class:"num",children:Ue(e?.first.p95_us??null)}),r("td",{class:"num",children:Ue(e?.took.p95_us??
null)})]})}function Sh({model:e,name:t}){let n=()=>te({model:null});return e?r(vt,{aside:!0,title:e.id,onClose:n,children:[r("div",{class:"row",children:[r("a",
{class:"button",href:ne("/explain",{model:e.id}),children:"Explain"}),r("a",{class:"button",href:ne("/playground",{model:e.id}),children:"Try it"}),r("a",{class:"\
button",href:ne("/requests",{model:e.id}),children:"Requests"}),r("a",{class:"button",href:ne("/usage",{model:e.id}),children:"Usage"})]}),r("dl",{class:"pairs",
children:[e.display_name!==null&&r(R,{children:[r("dt",{children:"Shown as"}),r("dd",{children:e.display_name})]}),r("dt",{children:"Order"}),r("dd",{children:[
e.policy,e.sticky!=="none"&&`, sticky by ${e.sticky}`]}),r("dt",{children:"Prompt and answer"}),r("dd",{children:e.context_length===null?"not known":`${B(e.context_length)}\
 tokens`}),r("dt",{children:"Answer at most"}),r("dd",{children:e.max_output_tokens===null?"not known":`${B(e.max_output_tokens)} tokens`})]}),r("h3",{children:"\
Targets"}),e.targets.map(o=>r("dl",{class:"pairs",children:[r("dt",{children:"Target"}),r("dd",{children:r("code",{children:o.target})}),r("dt",{children:"Healt\
h"}),r("dd",{children:[r(Ui,{health:o.health}),o.health&&o.health.in_flight>0&&`, ${B(o.health.in_flight)} in flight`]}),r("dt",{children:"Known as"}),r("dd",{children:[
o.row===null?"nothing known of it":r("code",{children:o.row}),o.family&&", its family",o.overridden&&", changed by the config"]}),r("dt",{children:"Price"}),r("\
dd",{class:o.priced===!1?"warn":void 0,children:o.priced===!1?"not known: its calls cost nothing in the account":o.priced===null?"that of each model":"known"})]},
o.target)),r("div",{class:"row",children:[r("h3",{children:"In the config"}),r("span",{class:"muted small",children:"The file decides: change it there."}),r("di\
v",{class:"rest",children:r(yt,{text:Gl(e)})})]}),r("pre",{class:"code",children:Gl(e)}),r("p",{class:"muted small",children:"Only what this page knows of the m\
odel. Its weights, prices, limits and timeouts, if the file sets them, are not in it."})]}):r(vt,{aside:!0,title:t,onClose:n,children:r("p",{children:"The confi\
g has no such model."})})}function Ch(){return r(R,{children:[r("strong",{children:"The config has no models"}),r("span",{children:"Add one to the file, then we\
ir reload:"}),r("pre",{class:"code",children:`models:
  smart: {targets: [openai/gpt-5]}`})]})}function Dd(){let{params:e}=ue(),t={period:bt(e),team:e.get("team")??""},n=j("GET /admin/v1/usage",{query:{by:"model",...sr(t)}});return r(st,{title:"Overview",
period:!0,team:!0,of:n,children:[r(Eh,{about:t,totals:n}),r(Mh,{}),r(Ah,{about:t,by:e.get("by")??"model"}),t.team===""&&r(Lh,{about:t}),r(Oh,{about:t})]})}function sr({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function hn(e,t){return e.reduce((n,o)=>n+t(o),0)}function Eh({about:e,totals:t}){
let{zone:n}=I(),o=j("GET /admin/v1/usage",{query:{by:"model",...sr({...e,period:cs(e.period,n)})}}),s=j("GET /admin/v1/latency",{query:{by:"all",...sr({...e,team:""})}}),
i=j("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),l=o.data?hn(o.data.data,a=>a.cost_nanodollars):0;return r("section",{"aria-label":"Fi\
gures",children:r(we,{of:t,children:({data:a})=>{let d=hn(a,b=>b.cost_nanodollars),p=hn(a,b=>b.input_tokens+b.output_tokens),h=hn(a,b=>b.attempts),m=s.data?.data[0],
y=Ph((i.data?.data??[]).map(b=>b.own_us));return r(Ws,{children:[r(Nt,{label:"Cost",figure:ye(d),hint:Le(d),children:yr(d,l)?`${yr(d,l)} on the span before`:"no\
thing in the span before"}),r(Nt,{label:"Requests",figure:B(hn(a,b=>b.requests)),children:e.team?Me(h,"call"):`${Ct(m?.failed??0,m?.calls??0)} of ${Me(m?.calls??
0,"call")} failed`}),r(Nt,{label:"Tokens",figure:en(p),hint:B(p),children:[Ct(hn(a,b=>b.cache_read_tokens),hn(a,b=>b.input_tokens))," of prompts from caches"]}),
r(Nt,{label:"First token, p95",figure:Ue(m?.first.p95_us??null),children:y===null?"no requests yet":`Weir’s own part ${Ue(y)}`}),r(Dh,{rows:a})]})}})})}function Ph(e){
let t=e.toSorted((n,o)=>n-o);return t[Math.floor(t.length/2)]??null}function Dh({rows:e}){let[t,n,o]=[hn(e,i=>i.orphaned),hn(e,i=>i.in_doubt),hn(e,i=>i.estimated)],
s=t+n;return r(Nt,{label:"Ledger",figure:s===0?"Complete":Me(s,"open row"),tone:s===0?"":"warn",children:[Me(o,"estimated row"),s>0&&`, ${B(t)} orphaned, ${B(n)}\
 in doubt`]})}function Mh(){let{zone:e}=I(),t=j("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Rh));return n.size===0?null:r("section",{class:"\
stack","aria-label":"Troubles",children:[...n].map(([o,s])=>r("div",{class:"panel alert",children:[r("span",{class:"mono",children:o}),r("span",{class:"warn",children:[
"breaker ",s.breaker,s.open_until?` until ${pn(new Date(s.open_until),e)}`:""]}),r("a",{href:ne("/providers"),children:"Providers"})]},o))})}function Rh(e){return e.
targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var qh=["model","team","key","provider"];function Ah({about:e,by:t}){let{zone:n}=I(),
o=ao(e.period,n),s={query:{by:`${t},${o}`,...sr(e)}},i=j("GET /admin/v1/usage",s),l=r(R,{children:[r(ds,{label:"Divide by",value:t,options:qh.map(a=>({value:a,label:a})),
onChange:a=>te({by:a==="model"?null:a})}),r(Oe,{list:!0,route:"GET /admin/v1/usage",asked:s,command:`weir usage --by ${t},${o} --since ${e.period.since}`})]});return r(
we,{of:i,children:({data:a,since:d,until:p})=>{let h=Sn(new Date(d),new Date(p),o,n),m=Vo({rows:a,xs:h,zone:n,group:y=>uo(y,t),value:y=>y.cost_nanodollars});return r(
bo,{title:`Cost per ${o}, by ${t}`,kind:"bars",grain:o,xs:h,until:new Date,series:m,format:ye,axis:No,tools:l,onPick:y=>te($h(t,y))})}})}function $h(e,t){return e===
"team"?{team:t}:{[e]:t}}function Lh({about:e}){let{zone:t}=I(),n=ao(e.period,t)==="hour"?"hour":"day",o={query:{by:n,...sr({...e,team:""})}},s=j("GET /admin/v1/\
latency",o);return r(we,{of:s,children:({data:i,since:l,until:a})=>{let d=Sn(new Date(l),new Date(a),n,t);return r(bo,{title:`Time of calls per ${n}`,kind:"line\
s",grain:n,xs:d,until:new Date,series:Ku(i,d,"took"),format:Ue,axis:pu,tools:r(Oe,{list:!0,route:"GET /admin/v1/latency",asked:o})})}})}function Oh({about:e}){let{
zone:t}=I(),n={query:{by:"key",top:50,...sr(e)}},o=j("GET /admin/v1/usage",n);return r("section",{class:"panel","aria-label":"Keys by cost",children:[r("header",
{children:[r("h2",{children:"Keys by cost"}),r("span",{class:"muted small",children:mn(e.period,t)}),r("div",{class:"rest",children:r(Oe,{list:!0,route:"GET /ad\
min/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),r(we,{of:o,isEmpty:({data:s})=>s.length===0,empty:r(Wl,{}),children:({
data:s})=>r(Ge,{label:"Keys by cost",columns:Fh(s),rows:s,id:i=>i.key??"",sorted:"-cost"})})]})}function Fh(e){let t=Math.max(0,...e.map(n=>n.cost_nanodollars));
return[{key:"key",title:"Key",cell:n=>r("a",{href:ne("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.key||""},{key:"cost",title:"Cost",num:!0,
cell:n=>r("span",{title:Le(n.cost_nanodollars),children:ye(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"share",title:"Share",cell:n=>r(xn,{part:n.cost_nanodollars,
whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>B(n.requests),sort:n=>n.requests},{key:"input",title:"Tokens in",num:!0,cell:n=>B(n.input_tokens),sort:n=>n.
input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>B(n.output_tokens),sort:n=>n.output_tokens},{key:"cached",title:"From caches",num:!0,cell:n=>Ct(n.
cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function Wl(){return r(R,{children:[r("strong",{children:"No req\
uest in this span"}),r("span",{children:"Make a key and call a model with it:"}),r("pre",{class:"code",children:`weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}var Md={rows:null,next:null,searched:null,loading:!0,error:null};function Rd(e,t){let n=JSON.stringify(t),[o,s]=N(Md),i=At(null),l=Fo((a,d)=>{i.current?.abort();
let{signal:p}=i.current=new AbortController;s(m=>({...m,loading:!0,error:null}));let h={...JSON.parse(n),...a!==null&&{cursor:a}};Ri("GET",Ko(e,{query:h}),void 0,
p).then(m=>s(Kh(d,m))).catch(m=>{p.aborted||s(y=>({...y,loading:!1,error:Xt(m)}))})},[e,n]);return ge(()=>(s(Md),l(null,[]),()=>i.current?.abort()),[l]),{...o,more:()=>l(
o.next,o.rows??[])}}function Kh(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}var Bl=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function qd(){let{params:e}=ue(),t=e.get("request"),n=bt(e),o=Nh(e,{since:n.since,...n.until&&{until:n.until}});return r(st,{
title:"Requests",period:!0,team:!0,children:[r(zh,{}),r(Gh,{query:o,opened:t}),t!==null&&r(Gs,{id:t,onClose:()=>te({request:null})},t)]})}function Nh(e,t){let n={
...t};for(let[s]of Bl){let i=e.get(s);i&&(n[s]=i)}let o=Number(e.get("dearer"));return o>0&&(n.min_cost_nanodollars=Math.round(o*1e9)),n}function Ih(e){let t=Bl.
filter(([n])=>e[n]!==void 0).map(([n,o])=>`--${o} ${_t(String(e[n]))}`);e.min_cost_nanodollars&&t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of[
"since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function zh(){let{params:e}=ue(),{models:t,providers:n}=I(),o=j("GET /adm\
in/v1/keys",{query:{limit:1e3}}),s=[...Bl.map(([b])=>b),"dearer"].filter(b=>b!=="team"),[i,l]=N({}),[a,d]=N("");ge(()=>{l(Object.fromEntries(s.map(b=>[b,e.get(b)??
""]))),d("")},[e.toString()]);let p=s.some(b=>e.get(b)),h=b=>w=>l({...i,[b]:w}),m=(b={})=>te({...i,...b,...a.trim()&&{request:a.trim()}}),y=(b,w,D,C={})=>r(pe,{
label:w,value:i[b]??"",onInput:h(b),size:D,...C});return r("form",{class:"filters many",onSubmit:b=>{b.preventDefault(),m()},onChange:b=>b.target instanceof HTMLInputElement&&
m(),children:[y("key","Key",12,{list:(o.data?.data??[]).map(b=>b.name)}),y("model","Model",10,{list:t}),y("provider","Provider",10,{list:n}),r(at,{label:"Status",
value:i.status??"",options:["","ok","failed","canceled"].map(b=>({value:b,label:b||"any"})),onChange:b=>m({status:b})}),y("outcome","Outcome",10,{list:Uh}),y("m\
in_took","Slower than",7,{placeholder:"10s"}),y("dearer","Dearer than, $",7,{placeholder:"0.05"}),y("tag","Tag",10,{placeholder:"name=value"}),r(pe,{label:"Id",
value:a,onInput:d,size:12,placeholder:"req_…"}),r("button",{class:"unseen",type:"submit",children:"Find"}),p&&r("button",{type:"button",class:"quiet",onClick:()=>te(
Object.fromEntries(s.map(b=>[b,null]))),children:"Clear"})]})}var Uh=["ok","unreachable","timeout","failed","malformed","overloaded","rate_limited","credential",
"denied","misconfigured","model_not_found","too_long","refused","moderated","canceled","lost","budget"];function Gh({query:e,opened:t}){let{zone:n}=I(),o=Rd("GE\
T /admin/v1/requests",e),{rows:s,loading:i,error:l,searched:a,next:d}=o;return r("section",{class:"panel","aria-label":"Requests found",children:[r("header",{children:[
r("h2",{children:s===null?"Requests":`${Me(s.length,"request")}${d===null?"":" so far"}`}),r("span",{class:"muted small",children:n}),r("div",{class:"rest",children:r(
Oe,{list:!0,route:"GET /admin/v1/requests",asked:{query:{...e,limit:1e3}},command:Ih(e)})})]}),r(ms,{shown:i}),s!==null&&s.length>0&&r(Ge,{label:"Requests",columns:zs(
n),rows:s,id:p=>p.request,selected:t,onOpen:p=>te({request:p.request})}),l&&r(Cr,{error:l,retry:o.more}),s!==null&&!l&&r("div",{class:"state small",children:[s.
length===0&&d===null&&r("strong",{children:"No request is like this"}),r("div",{class:"row",children:[r("span",{children:a?`Searched back to ${ht(a,n)}.`:"That \
is all there is in this period."}),d!==null&&r("button",{disabled:i,onClick:o.more,children:"Search further back"})]})]})]})}function Ad({name:e}){let t=j("GET /admin/v1/teams/{team}",{path:{team:e}}),n=wn("PATCH /admin/v1/teams/{team}")&&t.data?.source==="store"&&t.data.status!=="rev\
oked";return r(st,{title:t.data?.name??"Team",up:{path:"/teams",title:"Teams"},mark:t.data&&r(Pr,{of:t.data}),period:!0,of:t,tools:n&&r(Hh,{}),children:r(we,{of:t,
children:o=>r(Wh,{of:o,may:n})})})}function Hh(){return r(R,{children:[r("button",{onClick:()=>ut("edit"),children:"Edit"}),r("button",{class:"danger",onClick:()=>ut(
"revoke"),children:"Revoke"})]})}function Wh({of:e,may:t}){let[n]=Hn(),o=wn("POST /admin/v1/keys")&&e.status==="active",s={query:{team:e.id}},i=j("GET /admin/v1\
/limits",e.status==="active"?s:null),l=j("GET /admin/v1/keys",{query:{limit:1e3}}),a=(l.data?.data??[]).filter(d=>d.team_id===e.id&&d.status!=="revoked");return r(
"div",{class:"stack",children:[e.status==="revoked"&&r(jn,{children:[r("span",{class:"warn",children:"The team is revoked."}),r("span",{children:"Its keys are r\
efused until they are in another team."})]}),r(Fs,{of:e,list:"teams"}),r("div",{class:"sides",children:[e.status==="active"&&r(Ns,{of:i,asked:s,command:`weir li\
mits --team ${e.id}`,may:t}),r("section",{class:"panel","aria-label":"About the team",children:[r("header",{children:r("h2",{children:"About the team"})}),r("dl",
{class:"pairs body",children:[r(Ks,{of:e}),r("dt",{children:"Lives in"}),r("dd",{children:e.source==="config"?"the config file":"the store"})]})]})]}),r(Is,{only:{
team:e.id}}),r(Bh,{of:l,members:a,team:e,may:o}),t&&n==="edit"&&r(qu,{of:e}),t&&n==="revoke"&&r(Ou,{of:e,keys:l.data?.next===null?a.length:null}),o&&n==="create"&&
r(_s,{team:e.name})]})}function Bh({of:e,members:t,team:n,may:o}){let s=Vn("key",{team:n.id});return r("section",{class:"panel","aria-label":"Keys of the team",
children:[r("header",{children:[r("h2",{children:"Keys"}),r("div",{class:"rest",children:[r(Oe,{list:!0,route:"GET /admin/v1/usage",asked:{query:{by:"key",team:n.
id,since:"30d"}},command:`weir usage --by key --team ${n.id} --since 30d`}),o&&r("button",{class:"quiet",onClick:()=>ut("create"),children:"Create key"})]})]}),
r(we,{of:e,isEmpty:()=>t.length===0,empty:r(jh,{team:n,may:o}),children:({data:i,next:l})=>r(R,{children:[r(Ge,{label:"Keys of the team",columns:Vh(s),rows:t,id:a=>a.
id,sorted:"-spent",most:50}),l!==null&&r("p",{class:"state small",children:["Only the first ",B(i.length)," keys of all were looked at."]})]})})]})}function jh({
team:e,may:t}){return r(R,{children:[r("strong",{children:"No key is in this team"}),r("pre",{class:"code",children:["weir keys create --name my-app --team ",e.
name]}),t&&r("button",{onClick:()=>ut("create"),children:"Create key"})]})}function Vh(e){return[{key:"name",title:"Key",cell:t=>r("div",{class:"words",children:[
r("a",{href:ne("/keys/"+encodeURIComponent(t.id)),children:t.name}),r("span",{class:"second mono",children:t.id})]}),sort:t=>t.name},{key:"spent",title:"Spent i\
n 30 days",num:!0,cell:t=>r(Ho,{spending:e,id:t.id}),sort:t=>e.of.get(t.id)?.cost??-1},{key:"models",title:"Models",cell:t=>r(In,{models:t.models})},{key:"bound\
s",title:"Budgets, limits",cell:t=>r(Go,{of:t}),sort:zo},{key:"status",title:"Status",cell:t=>r(Uo,{of:t}),sort:t=>Nn(t).word}]}var jl={query:{limit:1e3}},Yh=[{value:"",label:"Not revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function $d(){let e=j("GET /admin/v1/\
teams",jl),[t]=Hn(),n=wn("POST /admin/v1/teams");return r(st,{title:"Teams",of:e,tools:n&&r("button",{class:"primary",onClick:()=>ut("create"),children:"Create \
team"}),children:[r("section",{class:"panel","aria-label":"Teams",children:[r("header",{children:[r(Zh,{}),r("div",{class:"rest",children:r(Oe,{list:!0,route:"G\
ET /admin/v1/teams",asked:jl,command:"weir teams list"})})]}),r(we,{of:e,isEmpty:({data:o})=>o.length===0,empty:r(Qh,{may:n}),children:({data:o,next:s})=>r(Jh,{
teams:o,more:s!==null})})]}),t==="create"&&n&&r(Ru,{})]})}function Zh(){let{params:e}=ue();return r("div",{class:"filters",role:"search","aria-label":"Teams",children:[
r(pe,{bare:!0,label:"Name",type:"search",placeholder:"Name",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),r(at,{bare:!0,label:"Status",value:e.get("status")??"",
options:Yh,onChange:t=>te({status:t})})]})}function Qh({may:e}){return r(R,{children:[r("strong",{children:"No team yet"}),r("span",{children:"A team bounds wha\
t several keys use and spend together. Make one here or on the command line:"}),r("pre",{class:"code",children:"weir teams create --name research --budget 500us\
d/month"}),e&&r("button",{class:"primary",onClick:()=>ut("create"),children:"Create team"})]})}function Jh({teams:e,more:t}){let n=Vn("team"),o=j("GET /admin/v1\
/keys",jl),{params:s}=ue(),[i,l]=[(s.get("q")??"").toLowerCase(),s.get("status")??""],a=e.filter(p=>(i===""||p.name.toLowerCase().includes(i)||p.id===i)&&(l==="\
all"||l==="revoked"==(p.status==="revoked"))),d=o.data?{of:Xh(o.data.data),whole:o.data.next===null}:null;return r(R,{children:[a.length===0?r("div",{class:"sta\
te",children:[r("strong",{children:"No team matches"}),r("button",{onClick:()=>te({q:null,status:null}),children:"Clear filters"})]}):r(Ge,{label:"Teams",columns:eb(
n,d),rows:a,id:p=>p.id,sorted:"-spent",most:100}),t&&r("p",{class:"state small",children:["Only the first ",B(e.length)," teams are listed. weir teams list has \
all."]}),r("p",{class:"unseen",role:"status",children:[a.length," of ",e.length," teams are shown"]})]})}function Xh(e){let t=new Map;for(let n of e)n.team_id&&
n.status!=="revoked"&&t.set(n.team_id,(t.get(n.team_id)??0)+1);return t}function eb(e,t){let n=o=>t?.of.get(o.id)??0;return[{key:"name",title:"Team",cell:o=>r("\
div",{class:"words",children:[r("a",{href:ne("/teams/"+encodeURIComponent(o.id)),children:o.name}),r("span",{class:"second mono",children:o.id})]}),sort:o=>o.name},
{key:"keys",title:"Keys",num:!0,cell:o=>t?r("a",{href:ne("/keys",{team:o.name}),children:[B(n(o)),t.whole?"":" +"]}):"–",sort:n},{key:"spent",title:"Spent in \
30 days",num:!0,cell:o=>r(Ho,{spending:e,id:o.id}),sort:o=>e.of.get(o.id)?.cost??-1},{key:"models",title:"Models",cell:o=>r(In,{models:o.models}),sort:o=>(o.models??
[]).join()},{key:"bounds",title:"Budgets, limits",cell:o=>r(Go,{of:o}),sort:zo},{key:"status",title:"Status",cell:o=>r(Uo,{of:o}),sort:o=>Nn(o).word}]}var Zl=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:ye,axis:No},{name:"requests",title:"Requests",of:e=>e.requests,format:B,axis:en},{name:"tokens",
title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:B,axis:en},{name:"calls",title:"Calls",of:e=>e.attempts,format:B,axis:en}],Bs=["model","team","key","\
provider","tag"],Vl=500;function Ld(){let{zone:e}=I(),t=tb(ue().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...Jl(t)}},o=j("GET /admin/v1/usa\
ge",n);return r(st,{title:"Usage",period:!0,team:!0,of:o,children:[r(nb,{question:t}),r(ob,{question:t}),r("section",{class:"panel","aria-label":"Sums",children:[
r("header",{children:[r("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),r("span",{class:"muted small",children:mn(t.period,e)}),r("div",{
class:"rest",children:r(Oe,{list:!0,route:"GET /admin/v1/usage",asked:n,command:Od(n.query)})})]}),r(we,{of:o,isEmpty:({data:s})=>s.length===0,empty:r(Wl,{}),children:({
data:s})=>r(rb,{rows:s,question:t})})]})]})}function tb(e,t){let n=bt(e),o=Bs.find(d=>d===e.get("by"))??"model",s=Bs.find(d=>d===e.get("then")&&d!==o)??"",i=ao(
n,t),l=["hour","day","month"].find(d=>d===e.get("grain"))??(o==="tag"&&i==="hour"?"day":i),a={};for(let d of["key","team","model"]){let p=e.get(d);p&&(a[d]=p)}return{
by:o,then:s,grain:l,period:n,filters:a,metric:Zl.find(d=>d.name===e.get("metric"))??Zl[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function Jl({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function Od(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${_t(n)}`)].
join(" ")}function Yl(e){return e.map(t=>({value:t,label:t||"–"}))}function nb({question:e}){let{by:t,then:n,metric:o,grain:s,filters:i}=e,l=["",...Bs].filter(
a=>a!==t&&(t!=="tag"||a===""||a==="key")&&(a!=="tag"||t==="key"));return r("div",{class:"filters",children:[r(at,{label:"Group by",value:t,options:Yl(Bs),onChange:a=>te(
{by:a,then:null})}),r(at,{label:"then by",value:n,options:Yl(l),onChange:a=>te({then:a})}),r(at,{label:"Figure",value:o.name,options:Zl.map(a=>({value:a.name,label:a.
title})),onChange:a=>te({metric:a==="cost"?null:a})}),r(at,{label:"Per",value:s,options:Yl(t==="tag"?["day","month"]:["hour","day","month"]),onChange:a=>te({grain:a})}),
r(Kn,{label:"Compare with the span before",checked:e.compare,onChange:a=>te({compare:a?"1":null})}),r(Kn,{label:"Classes of tokens",checked:e.classes,onChange:a=>te(
{classes:a?"1":null})}),["key","model"].map(a=>i[a]!==void 0&&r("button",{type:"button",onClick:()=>te({[a]:null}),title:"Take this filter out",children:[a,": ",
i[a]," ✕"]},a))]})}function ob({question:e}){let{zone:t}=I(),{by:n,grain:o,metric:s}=e,i={query:{by:`${n},${o}`,...Jl(e)}},l=j("GET /admin/v1/usage",i);return r(
we,{of:l,children:({data:a,since:d,until:p})=>{let h=Sn(new Date(d),new Date(p),o,t),m=Vo({rows:a,xs:h,zone:t,group:y=>uo(y,n),value:s.of});return r(bo,{title:`${s.
title} per ${o}, by ${n}`,kind:"bars",grain:o,xs:h,until:new Date,series:m,format:s.format,axis:s.axis,tools:r(Oe,{list:!0,route:"GET /admin/v1/usage",asked:i,command:Od(
i.query)}),...Fd(n)&&{onPick:y=>te({[n]:y})}})}})}function Fd(e){return e==="key"||e==="team"||e==="model"}function rb({rows:e,question:t}){let{zone:n}=I(),{by:o,
then:s,period:i,compare:l,metric:a}=t,d=j("GET /admin/v1/usage",l?{query:{by:[o,s].filter(Boolean).join(","),...Jl({...t,period:cs(i,n)})}}:null),p=l?new Map((d.
data?.data??[]).map(m=>[Ql(m,t),m])):null,h=e.toSorted((m,y)=>a.of(y)-a.of(m)).slice(0,Vl);return r(R,{children:[r(Ge,{label:"Sums",columns:sb(t,e,p),rows:h,id:m=>Ql(
m,t),sorted:`-${a.name}`},`${o}.${s}.${a.name}`),e.length>Vl&&r("p",{class:"state small",children:["The first ",B(Vl)," of ",Me(e.length,"line"),". The CSV has \
all."]})]})}function Ql(e,{by:t,then:n}){return JSON.stringify([t,n].map(o=>o===""?"":e[o]))}function sb(e,t,n){let{by:o,then:s,metric:i,classes:l}=e,a=m=>t.reduce(
(y,b)=>y+m(b),0),d=Math.max(0,...t.map(i.of)),p=(m,y,b)=>({key:m,title:y,num:!0,cell:w=>B(b(w)),sort:b,sum:B(a(b))}),h=[o,s].filter(Boolean).map((m,y)=>ib(m,y===
0));return h.push({key:"cost",title:"Cost",num:!0,cell:m=>r("span",{title:Le(m.cost_nanodollars),children:[m.estimated>0&&"~ ",ye(m.cost_nanodollars)]}),sort:m=>m.
cost_nanodollars,sum:r("span",{title:Le(a(m=>m.cost_nanodollars)),children:[a(m=>m.estimated)>0&&"~ ",ye(a(m=>m.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"Share",cell:m=>r(xn,{part:i.of(m),whole:d})}),n&&h.push(ab(e,n)),h.push(p("requests","Requests",m=>m.requests),p("cal\
ls","Calls",m=>m.attempts),p("tokens","Tokens",m=>m.input_tokens+m.output_tokens)),l?h.push(p("fresh","Fresh",m=>m.input_tokens-m.cache_read_tokens-m.cache_write_tokens),
p("read","From caches",m=>m.cache_read_tokens),p("write","Into caches",m=>m.cache_write_tokens),p("output","Output",m=>m.output_tokens),p("reasoning","of it rea\
soning",m=>m.reasoning_tokens)):h.push({key:"cached",title:"From caches",num:!0,cell:m=>Ct(m.cache_read_tokens,m.input_tokens),sort:m=>m.input_tokens?m.cache_read_tokens/
m.input_tokens:0,sum:Ct(a(m=>m.cache_read_tokens),a(m=>m.input_tokens))}),h}function ib(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:o=>r(
"a",{href:lb(o,e),children:uo(o,e)}),sort:o=>uo(o,e),...t&&{sum:"All"}}}function lb(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":uo(e,t);return Fd(t)&&n!==
""?vr({[t]:n}):ne("/requests",{[t]:n})}function ab({metric:e,...t},n){let o=s=>{let i=n.get(Ql(s,{metric:e,...t}));return i?e.of(i):0};return{key:"before",title:"\
Span before",num:!0,cell:s=>r("span",{title:yr(e.of(s),o(s)),children:e.format(o(s))}),sort:o,sum:e.format([...n.values()].reduce((s,i)=>s+e.of(i),0))}}var js=[{path:"/",title:"Overview",group:"",page:Dd},{path:"/usage",title:"Usage",group:"",page:Ld},{path:"/requests",title:"Requests",group:"",page:qd},{path:"\
/models",title:"Models",group:"Serve",page:Ed},{path:"/explain",title:"Explain",group:"Serve",page:ku},{path:"/keys",title:"Keys",group:"Access",page:Sd,one:xd},
{path:"/teams",title:"Teams",group:"Access",page:$d,one:Ad}];function Vs(e){for(let t of js){if(t.path===e)return{row:t,name:null};if(!t.one||!e.startsWith(t.path+
"/"))continue;let n=ub(e.slice(t.path.length+1));if(n!=="")return{row:t,name:n}}return null}function ub(e){try{return e.includes("/")?"":decodeURIComponent(e)}catch{
return""}}var cb=12;function Kd(){let[e,t]=N(""),[n,o]=N(!1),[s,i]=N(0),l=At(null),a=db(e.trim(),n);pb(l);let d=m=>{m&&(o(!1),t(""),l.current?.blur(),On(m.href))},p=m=>{if(m.
key==="ArrowDown")i(Math.min(s+1,a.length-1));else if(m.key==="ArrowUp")i(Math.max(s-1,0));else if(m.key==="Enter")d(a[s]);else if(m.key==="Escape")o(!1);else return;
m.preventDefault()},h=n&&a.length>0;return r("div",{class:"search",role:"search",children:[r("input",{ref:l,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":h,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":h?`hit-${s}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:m=>{t(m.currentTarget.value),o(!0),i(0)},onFocus:()=>o(!0),onBlur:()=>o(!1),onKeyDown:p}),r("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!h,children:a.map((m,y)=>r("li",{id:`hit-${y}`,role:"option","aria-selected":y===s,onMouseDown:b=>{b.preventDefault(),d(m)},children:[
r("span",{children:m.name}),r("span",{class:"muted small",children:m.kind})]},m.href))})]})}function db(e,t){let{models:n}=I(),o=j("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:ne("/requests",{request:e})}];let s=l=>l.toLowerCase().includes(e.toLowerCase()),
i=n.filter(s).map(l=>({kind:"model",name:l,href:ne("/requests",{model:l})}));for(let l of o.data?.data??[])(s(l.name)||l.id===e)&&i.push({kind:"key",name:l.name,
href:ne("/keys/"+encodeURIComponent(l.id))});return i.slice(0,cb)}function pb(e){ge(()=>{let t=n=>{let o=n.target instanceof HTMLElement&&n.target.matches("inpu\
t, textarea, select");n.key!=="/"||o||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function Ys(){return r("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[r("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),r("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function Nd({onLeave:e}){let{path:t}=ue(),[n,o]=N(!1);ge(()=>o(!1),[t]);let s=Vs(t),i=()=>{su().finally(e)};return r(R,{children:[r("a",{class:"skip",
href:"#page",children:"To the page"}),r("div",{class:"shell",children:[r("header",{class:"bar",children:[r("a",{class:"brand",href:ne("/"),children:[r(Ys,{}),"W\
eir"]}),r("button",{class:"rest","aria-expanded":n,onClick:()=>o(!n),children:"Menu"})]}),r(gb,{shown:n,path:s?.row.path??""}),r("div",{class:"content",children:[
r(fb,{onLeave:i}),r("main",{id:"page",tabIndex:-1,children:mb(s)})]})]})]})}function mb(e){return e?e.row.one&&e.name!==null?r(e.row.one,{name:e.name},e.name):r(
e.row.page,{}):r(bb,{})}function fb({onLeave:e}){let{session:t,zone:n}=I();return t.expires===null?null:r("div",{class:"banner",role:"region","aria-label":"Sess\
ion",children:[r("span",{children:["Signed in with the admin token, until ",pn(new Date(t.expires),n),"."]}),r("button",{class:"quiet",onClick:e,children:"Sign \
out"})]})}function gb({shown:e,path:t}){let n=[...new Set(js.map(o=>o.group))];return r("aside",{class:e?"side shown":"side","aria-label":"Console",children:[r(
"a",{class:"brand",href:ne("/"),children:[r(Ys,{}),"Weir"]}),r(Kd,{}),r("nav",{"aria-label":"Pages",children:n.map(o=>r("div",{children:[o!==""&&r("p",{children:o}),
js.filter(s=>s.group===o).map(s=>r("a",{href:ne(s.path),"aria-current":s.path===t?"page":void 0,children:s.title},s.path))]},o))}),r("div",{class:"foot",children:r(
hb,{})})]})}function hb(){let[e,t]=N(vs),n=o=>{let s=Nu.find(i=>i===o)??"system";Iu(s),t(s)};return ge(()=>Rr(e),[]),r(ds,{label:"Colour scheme",value:e,options:[
{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}function bb(){return r(R,{children:[r("h1",{children:"Th\
ere is no such page"}),r("p",{children:r("a",{href:ne("/"),children:"Overview"})})]})}function Id({onSession:e}){let[t,n]=N(""),[o,s]=N(!1),[i,l]=N(null);return ge(()=>{document.title="Sign in · Weir"},[]),r("main",{class:"login",children:[r("h1",
{class:"row",children:[r(Ys,{}),"Weir"]}),r("form",{onSubmit:d=>{d.preventDefault(),s(!0),ru(t.trim()).then(e,p=>l(Xt(p))).finally(()=>s(!1))},children:[r(pe,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:i?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),r("div",{class:"row",children:r("button",{class:"primary",disabled:o||t.trim()==="",children:"Sign in"})})]})]})}function yb(){let[e,t]=N({is:"asking"}),n=Fo(o=>{o.then(_b).then(s=>t({is:"in",known:s}),s=>{let i=Xt(s);t(i.status===401?{is:"out"}:{is:"failed",error:i})})},[]);
switch(ge(()=>{let o=()=>t({is:"out"});return ls.addEventListener("ended",o),n($i()),()=>ls.removeEventListener("ended",o)},[]),e.is){case"asking":return null;case"\
out":return r(Id,{onSession:o=>n(Promise.resolve(o))});case"failed":return r("main",{class:"login",children:r(Cr,{error:e.error,retry:()=>n($i())})});case"in":return r(
Ai.Provider,{value:e.known,children:r(Nd,{onLeave:()=>t({is:"out"})})})}}async function _b(e){let t=await rt("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers,url:vb(t.url)}}function vb(e){let t=new URL(e),n=o=>o==="localhost"||o==="[::1]"||o.startsWith("127.");return n(t.hostname)&&
!n(location.hostname)&&(t.hostname=location.hostname),t.origin}Rr(vs());mu(e=>Vs(e)!==null);za(r(yb,{}),document.body);
